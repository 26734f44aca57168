// npm run verify ddl-fuzz
// Random hostile schema management calls: no statement outside the listed shapes, no failure, and a refused call leaves
// schema and metadata unchanged and consistent.
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withDatabase, type TestDatabase, type TestDialect } from '../lib/databases.ts'
import { chosenDialect, useDialect } from '../lib/chosen-dialect.ts'
import type { Figure } from '../measurements/service.ts'
import { openService, type Answer, type Service } from '../lib/service.ts'
import { fuzzDatabases } from './fuzz-databases.ts'
import { createRng, randomCall, type Call, type World } from './random-call.ts'
import { isAllowed } from './shapes.ts'
import { chosenSeed } from '../random/cases.ts'

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

/** Text appended to a file since the last call. */
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

interface Columns {
  readonly table: string
  readonly columns: readonly string[]
}

async function columnsOf({ query, dialect }: TestDatabase): Promise<Columns[]> {
  const rows = await query(fuzzDatabases[dialect].columns)
  return rows.map(([table, columns]) => ({ table: table ?? '', columns: JSON.parse(columns ?? '[]') as string[] }))
}

async function worldOf(database: TestDatabase): Promise<World> {
  const aliases = await database.query(fuzzDatabases[database.dialect].fields)
  const open = (await columnsOf(database)).filter(({ table }) => table !== 'keep' && table !== 'seen')
  return new Map(
    open.map(({ table, columns }) => {
      const own = aliases.flatMap(([collection, field]) => (collection === table ? [field ?? ''] : []))
      return [table, [...new Set([...columns, ...own])]]
    }),
  )
}

const send = (service: Service, { method, path, body, isDryRun }: Call): Promise<Answer> =>
  service.send(method, path, body, isDryRun ? { headers: { prefer: 'tx=rollback' } } : {})

const isFine = ({ status }: Answer) => [200, 204, 400, 403, 422].includes(status)

export const fuzz = ({ calls, seconds, seed }: FuzzOptions): Promise<FuzzResult> =>
  withDatabase(async (database) => {
    const { url, query, dialect } = database
    const { tables, markOf, disagreementsOf } = fuzzDatabases[dialect]
    const directory = await mkdtemp(join(tmpdir(), 'tain-fuzz-'))
    const log = join(directory, 'statements')
    await query(tables)
    const service = await openService({ DATABASE_URL: url, TAIN_STATEMENT_LOG: log, LOG_LEVEL: 'error' })
    const tail = createTail(log)
    tail()
    const problems: string[] = []
    const count = { calls: 0, accepted: 0, refused: 0, statements: 0, definitions: 0 }
    try {
      const rng = createRng(seed)
      const deadline = performance.now() + (seconds ?? Infinity) * 1000
      let world = await worldOf(database)
      let before = await markOf(query)
      while (count.calls < calls && performance.now() < deadline && problems.length < 20) {
        const call = randomCall(rng, world)
        const where = `call ${count.calls} of seed ${seed}: ${JSON.stringify(call)}`
        const answer = await send(service, call)
        count.calls += 1
        if (!isFine(answer)) problems.push(`${where} answered ${answer.status} ${answer.text}`)
        for (const statement of tail()) {
          count.statements += 1
          if (/^\s*(?:alter|create|drop|comment|rename|rebuild)\b/u.test(statement)) count.definitions += 1
          if (!isAllowed(statement, dialect)) problems.push(`${where} made the statement ${statement}`)
        }
        const after = await markOf(query)
        const isAccepted = answer.status < 300 && !call.isDryRun
        if (isAccepted) count.accepted += 1
        else count.refused += 1
        if (!isAccepted && after !== before)
          problems.push(`${where} was refused (${answer.status}) and changed something`)
        if (after === before) continue
        problems.push(...(await disagreementsOf(query)).map((line) => `${where} left ${line}`))
        before = after
        world = await worldOf(database)
      }
      if ((await query('select name from keep'))[0]?.[0] !== 'kept')
        problems.push('the table that nobody may touch was touched')
      problems.push(...(await differencesOf(service, database)))
    } finally {
      await service.stop()
      await rm(directory, { recursive: true, force: true })
    }
    if (problems.length > 0) console.error(service.log().slice(-3000))
    return { ...count, problems }
  }, chosenDialect())

/** Compares the columns that the service reports with the actual columns. */
async function differencesOf(service: Service, database: TestDatabase): Promise<string[]> {
  const told = (
    (await service.get('/fields')).body as { data: { collection: string; field: string; schema?: unknown }[] }
  ).data
  const names = new Set(
    told
      .filter(({ schema, collection }) => schema !== undefined && !collection.startsWith('service_'))
      .map(({ collection, field }) => `${collection}.${field}`),
  )
  const found = (await columnsOf(database)).flatMap(({ table, columns }) => columns.map((name) => `${table}.${name}`))
  const missing = found.flatMap((name) => (names.delete(name) ? [] : [`${name} is a column but no field`]))
  return [...missing, ...[...names].map((name) => `${name} is a field but no column`)]
}

interface Fuzz {
  readonly calls: number
  readonly seconds: number
  readonly seed: number | null
  /** The least number of accepted and of refused calls and of definitions, for a run that time may end; 0 for others. */
  readonly least: number
  readonly dialect: TestDialect
}

export async function figures({ calls, seconds, seed, least, dialect }: Fuzz): Promise<Figure[]> {
  useDialect(dialect)
  const result = await fuzz({ calls, seconds, seed: chosenSeed(seed) })
  for (const problem of result.problems) console.log(problem)
  return [
    { what: 'calls', value: result.calls, unit: '', bound: { atLeast: least === 0 ? calls : 1 } },
    { what: 'accepted', value: result.accepted, unit: '', bound: { atLeast: least } },
    { what: 'refused or only planned', value: result.refused, unit: '', bound: { atLeast: least } },
    { what: 'statements looked at', value: result.statements, unit: '' },
    { what: 'definitions among them', value: result.definitions, unit: '', bound: { atLeast: least } },
    {
      what: 'statements outside the shapes, failures, refusals that changed something',
      value: result.problems.length,
      unit: '',
      bound: { atMost: 0 },
    },
  ]
}
