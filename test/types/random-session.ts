import type { CollectionDescription, SchemaDescription } from '@tain/contract'
import { generateTypes } from '../../packages/server/src/types/generate.ts'
import { createDatabase, databaseUrl, dropDatabase } from '../random/database/create.ts'
import { dialects } from '../random/database/model.ts'
import { createRng, type Rng } from '../random/rng.ts'
import { startServer, type Server } from '../lib/server.ts'
import { randomModel } from '../random/database/random-model.ts'
import { compile, errorsIn } from '../sdk/types/compile.ts'
import { randomFields } from './random-fields.ts'

export interface SessionResult {
  readonly queries: number
  readonly rows: number
  readonly problems: readonly string[]
}

/** Rows of each response that the compiler looks at. */
const ROWS = 6
const READER = 'token-of-a-restricted-user'

/** A random database: what the SDK infers from the generated types is what the service returns. */
export async function runSession(seed: number, schema: number, queries: number): Promise<SessionResult> {
  const dialect = dialects[schema % dialects.length]!
  const model = randomModel({ seed, schema, dialect })
  const database = `tain_types_${process.pid}_${schema}`
  await createDatabase(database, model)
  try {
    const [first = ''] = model.tables.keys()
    const server = await startServer(
      databaseUrl(dialect, database),
      null,
      `/items/${encodeURIComponent(first)}?limit=0`,
    )
    try {
      const rng = createRng(seed, schema, 5)
      const everything = await descriptionFor(server, undefined)
      await restrict(server, everything, rng)
      const open = await compared(server, undefined, queries, rng)
      const restricted = await compared(server, READER, queries, rng)
      return {
        queries: open.queries + restricted.queries,
        rows: open.rows + restricted.rows,
        problems: [...open.problems, ...restricted.problems.map((problem) => `restricted: ${problem}`)],
      }
    } finally {
      await server.stop()
    }
  } finally {
    await dropDatabase(dialect, database)
  }
}

/** Undefined: the administrator. */
type Token = string | undefined

const withToken = (token: Token) => (token === undefined ? {} : { token })

async function descriptionFor(server: Server, token: Token): Promise<SchemaDescription> {
  const reply = await server.send({ method: 'GET', path: '/server/specs/schema', ...withToken(token) })
  return reply.body as SchemaDescription
}

async function compared(server: Server, token: Token, count: number, rng: Rng): Promise<SessionResult> {
  const description = await descriptionFor(server, token)
  const byName = new Map(description.collections.map((collection) => [collection.name, collection]))
  const asked = description.collections.filter(({ may, path }) => may.includes('read') && path.startsWith('/items/'))
  const problems: string[] = []
  const lines: { readonly text: string; readonly about: string }[] = []
  let rows = 0
  for (let at = 0; at < count && asked.length > 0; at += 1) {
    const collection = rng.pick(asked)
    const fields = randomFields(collection, byName, rng)
    const about = `${collection.name} ${JSON.stringify(fields)}`
    const body = { query: { fields, limit: ROWS } }
    const {
      status,
      body: answer,
      text,
    } = await server.send({
      method: 'SEARCH',
      path: collection.path,
      body,
      ...withToken(token),
    })
    if (status !== 200) {
      problems.push(`${about}: status ${status} ${text.slice(0, 200)}`)
      continue
    }
    const { data } = answer as { readonly data: unknown }
    rows += Array.isArray(data) ? data.length : 1
    lines.push({ text: lineOf(at, collection, fields, data), about: `${about}: ${JSON.stringify(data).slice(0, 300)}` })
  }
  const program = [...head, ...lines.map(({ text }) => text)].join('\n')
  const schema = generateTypes(description, 'a test')
  for (const error of errorsIn(compile({ 'schema.ts': schema, 'program.ts': program }))) {
    const [, file, line] = /^(.*?)\((\d+),/u.exec(error) ?? []
    const about = file?.endsWith('program.ts') === true ? lines[Number(line) - 1 - head.length]?.about : undefined
    problems.push(`${error.slice(0, 400)}\n  ${about ?? ''}`)
  }
  return { queries: lines.length, rows, problems }
}

const head = [
  `import { createClient } from '@tain/sdk'`,
  `import type { Schema } from './schema.ts'`,
  `const tain = createClient<Schema>({ url: 'http://localhost' })`,
]

/** The response as a literal has the type that the query has. Literals are also checked for members too many. */
function lineOf(at: number, collection: CollectionDescription, fields: readonly string[], data: unknown): string {
  const call = collection.singleton === true ? 'read' : 'list'
  const query = `() => tain.items(${JSON.stringify(collection.name)}).${call}({ fields: ${JSON.stringify(fields)} })`
  return `const query${at} = ${query}; export const answer${at}: Awaited<ReturnType<typeof query${at}>> = ${JSON.stringify(data)}`
}

/** A user who may read some fields of all rows, and others of some rows. */
async function restrict(server: Server, { collections }: SchemaDescription, rng: Rng): Promise<void> {
  const permissions = collections
    .filter(({ path }) => path.startsWith('/items/'))
    .flatMap(({ name, fields }) => {
      const grants = rng.chance(0.85) ? rng.int(1, 2) : 0
      return Array.from({ length: grants }, () => {
        const names = rng.chance(0.4) ? ['*'] : rng.sample(fields, 1, fields.length).map((field) => field.name)
        const column = rng.pick(fields.filter(({ type }) => type !== 'alias'))
        return {
          collection: name,
          action: 'read',
          fields: names,
          permissions: rng.chance(0.5) ? {} : { [column.name]: { _nnull: true } },
        }
      })
    })
  const policy = await created(server, '/policies', { name: 'restricted', permissions })
  await created(server, '/users', {
    email: 'restricted@example.com',
    token: READER,
    policies: [{ policy: policy['id'] }],
  })
}

async function created(server: Server, path: string, body: unknown): Promise<Readonly<Record<string, unknown>>> {
  const { status, body: answer, text } = await server.send({ method: 'POST', path, body })
  if (status !== 200) throw new Error(`POST ${path}: ${status} ${text}`)
  return (answer as { readonly data: Readonly<Record<string, unknown>> }).data
}
