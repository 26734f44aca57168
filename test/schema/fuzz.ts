// npm run prove:ddl-fuzz
// Random hostile calls of schema management: no statement outside the listed shapes, no failure, and a call that is
// refused leaves structure and metadata as they were and in agreement.
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { withDatabase, type TestDatabase } from '../databases.ts'
import { prove, type Figure } from '../proofs/service.ts'
import { startService, type Answer, type Service } from '../service.ts'
import { disagreementsOf, markOf } from './catalogue.ts'
import { createRng, randomCall, type Call, type World } from './random-call.ts'
import { isAllowed, MARK } from './shapes.ts'
import { randomSeed } from '../property/seed.ts'

export interface FuzzOptions {
  readonly calls: number
  readonly seconds?: number
  readonly seed: number
}

export interface FuzzResult {
  readonly calls: number
  readonly accepted: number
  readonly refused: number
  readonly statements: number
  readonly definitions: number
  readonly problems: readonly string[]
}

const tables = `
  create table keep (id integer primary key, name text);
  create table "${MARK}_goods" (id integer primary key, name text, maker integer);
  create table "${MARK}_large" (id integer primary key, name text, filler text);
  create view seen as select id, name from keep;
  insert into keep values (1, 'kept');
  insert into "${MARK}_goods" select n, 'good ' || n, 1 from generate_series(1, 5) n;
  insert into "${MARK}_large" select n, 'l' || n, repeat('x', 600) from generate_series(1, 2000) n`

/** Text that was appended to a file since the last time. */
function createTail(file: string): () => readonly string[] {
  let offset = 0
  let rest = ''
  return () => {
    const { size } = statSync(file)
    const buffer = Buffer.alloc(size - offset)
    const handle = openSync(file, 'r')
    readSync(handle, buffer, 0, buffer.length, offset)
    closeSync(handle)
    offset = size
    const lines = (rest + buffer.toString()).split('\n')
    rest = lines.pop() ?? ''
    return lines.map((line) => (JSON.parse(line) as { text: string }).text)
  }
}

async function worldOf(query: TestDatabase['query']): Promise<World> {
  const rows =
    await query(`select c.relname, coalesce(json_agg(a.attname order by a.attnum) filter (where a.attnum > 0), '[]')
    from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'keep' group by c.relname order by c.relname`)
  const aliases = await query(`select collection, field from tain.service_fields order by collection, field`)
  return new Map(
    rows.map(([name, columns]) => [
      name ?? '',
      [
        ...new Set([
          ...(JSON.parse(columns ?? '[]') as string[]),
          ...aliases.flatMap(([collection, field]) => (collection === name ? [field ?? ''] : [])),
        ]),
      ],
    ]),
  )
}

const send = (service: Service, { method, path, body, isRehearsal }: Call): Promise<Answer> =>
  service.send(method, path, body, isRehearsal ? { headers: { prefer: 'tx=rollback' } } : {})

const isFine = ({ status }: Answer) => [200, 204, 400, 403, 422].includes(status)

export const fuzz = ({ calls, seconds, seed }: FuzzOptions): Promise<FuzzResult> =>
  withDatabase(async ({ url, query }) => {
    const directory = await mkdtemp(join(tmpdir(), 'tain-fuzz-'))
    const log = join(directory, 'statements')
    await query(tables)
    const service = await startService({ DATABASE_URL: url, TAIN_STATEMENT_LOG: log, LOG_LEVEL: 'error' })
    const tail = createTail(log)
    tail()
    const problems: string[] = []
    const count = { calls: 0, accepted: 0, refused: 0, statements: 0, definitions: 0 }
    try {
      const rng = createRng(seed)
      const deadline = performance.now() + (seconds ?? Infinity) * 1000
      let world = await worldOf(query)
      let before = await markOf(query)
      while (count.calls < calls && performance.now() < deadline && problems.length < 20) {
        const call = randomCall(rng, world)
        const where = `call ${count.calls} of seed ${seed}: ${JSON.stringify(call)}`
        const answer = await send(service, call)
        count.calls += 1
        if (!isFine(answer)) problems.push(`${where} answered ${answer.status} ${answer.text}`)
        for (const statement of tail()) {
          count.statements += 1
          if (/^\s*(?:alter|create|drop|comment)\b/u.test(statement)) count.definitions += 1
          if (!isAllowed(statement)) problems.push(`${where} made the statement ${statement}`)
        }
        const after = await markOf(query)
        const isAccepted = answer.status < 300 && !call.isRehearsal
        if (isAccepted) count.accepted += 1
        else count.refused += 1
        if (!isAccepted && after !== before)
          problems.push(`${where} was refused (${answer.status}) and changed something`)
        if (after === before) continue
        problems.push(...(await disagreementsOf(query)).map((line) => `${where} left ${line}`))
        before = after
        world = await worldOf(query)
      }
      if ((await query('select name from keep'))[0]?.[0] !== 'kept')
        problems.push('the table that nobody may touch was touched')
      problems.push(...(await differencesOf(service, query)))
    } finally {
      await service.stop()
      await rm(directory, { recursive: true, force: true })
    }
    if (problems.length > 0) console.error(service.log().slice(-3000))
    return { ...count, problems }
  })

/** What the service says the columns are, against what they are. */
async function differencesOf(service: Service, query: TestDatabase['query']): Promise<string[]> {
  const told = (
    (await service.get('/fields')).body as { data: { collection: string; field: string; schema?: unknown }[] }
  ).data
  const names = new Set(
    told
      .filter(({ schema, collection }) => schema !== undefined && !collection.startsWith('service_'))
      .map(({ collection, field }) => `${collection}.${field}`),
  )
  const found = await query(
    `select table_name || '.' || column_name from information_schema.columns where table_schema = 'public'`,
  )
  const missing = found.flatMap(([name]) => (names.delete(name ?? '') ? [] : [`${name} is a column but no field`]))
  return [...missing, ...[...names].map((name) => `${name} is a field but no column`)]
}

async function figures(): Promise<Figure[]> {
  const { values } = parseArgs({ options: { calls: { type: 'string' }, seed: { type: 'string' } } })
  const seed = randomSeed(values.seed)
  console.log(`seed ${seed}`)
  const result = await fuzz({ calls: Number(values.calls ?? 10_000), seed })
  for (const problem of result.problems) console.log(problem)
  return [
    { what: 'calls', value: result.calls, unit: '', bound: { atLeast: Number(values.calls ?? 10_000) } },
    { what: 'accepted', value: result.accepted, unit: '' },
    { what: 'refused or only planned', value: result.refused, unit: '' },
    { what: 'statements looked at', value: result.statements, unit: '' },
    { what: 'definitions among them', value: result.definitions, unit: '' },
    {
      what: 'statements outside the shapes, failures, refusals that changed something',
      value: result.problems.length,
      unit: '',
      bound: { atMost: 0 },
    },
  ]
}

if (import.meta.main) await prove('prove:ddl-fuzz', figures)
