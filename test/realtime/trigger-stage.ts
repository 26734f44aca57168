import { runDoctor } from '../../packages/server/src/app/doctor.ts'
import { callCommand } from '../lib/command.ts'
import { connect, createDatabase, type TestConnection, type TestDatabase, type TestDialect } from '../lib/databases.ts'
import { SECRET, startService, until, type Environment, type Service } from '../lib/service.ts'

export const quote: Readonly<Record<TestDialect, (name: string) => string>> = {
  postgres: (name) => `"${name.replaceAll('"', '""')}"`,
  sqlite: (name) => `"${name.replaceAll('"', '""')}"`,
  mysql: (name) => `\`${name.replaceAll('`', '``')}\``,
}

/** A change of the log. */
export interface Told {
  readonly write: string
  readonly collection: string
  readonly item: string
  readonly kind: string
  readonly before: unknown
  readonly after: unknown
  readonly user: string | null
}

export const brief = (changes: readonly Told[]) =>
  changes.map(({ collection, item, kind, before, after }) => [collection, item, kind, before, after])

const parsed = (text: string | null | undefined): unknown => (text == null ? null : JSON.parse(text))

const columns = ['write', 'collection', 'item', 'kind', 'before', 'after', 'user'] as const

/** A service that hears by triggers, and a connection of another program. */
export interface TriggerStage {
  readonly database: TestDatabase
  readonly service: () => Service
  readonly other: TestConnection
  /** Names of the service's own tables as statements have them. */
  readonly own: (name: string) => string
  readonly restart: (environment?: Environment) => Promise<void>
  /** The output of `tain events triggers`. */
  readonly printed: (...flags: readonly string[]) => Promise<string>
  readonly install: () => Promise<void>
  /** What the doctor says about triggers. */
  readonly unfit: () => Promise<readonly string[]>
  /** The fingerprint with which the triggers of a table are switched on. */
  readonly switched: (collection: string) => Promise<string | null>
  /** All changes since `forget`, up to one that is made now: whatever would come twice has come. */
  readonly told: () => Promise<readonly Told[]>
  readonly forget: () => Promise<void>
  readonly close: () => Promise<void>
}

export async function startTriggerStage(dialect: TestDialect, tables: readonly string[]): Promise<TriggerStage> {
  const database = await createDatabase(dialect)
  for (const statement of tables) await database.query(statement)
  await database.query('create table ends (id integer primary key)')
  const environment = {
    DATABASE_URL: database.url,
    EVENTS_ENABLED: 'true',
    EVENTS_CAPTURE: 'all',
    EVENTS_OUTSIDE: 'triggers',
  }
  let service = await startService(environment)
  const own = (name: string) => (dialect === 'postgres' ? `tain.${name}` : name)
  const other = await connect(database.url)

  const printed = async (...flags: readonly string[]) => {
    const { code, out, error } = await callCommand(['events', 'triggers', ...flags], { environment })
    if (code !== 0 || error !== '') throw new Error(`${code}: ${error}`)
    return out
  }
  const install = async () => void (await database.query(await printed()))
  const switched = async (collection: string) =>
    (
      await database.query(`select fingerprint from ${own('service_watch')} where name = 'triggers ${collection}'`)
    )[0]?.[0] ?? null

  let from = 0
  const all = async (): Promise<readonly Told[]> => {
    const found = await database.query(
      `select ${columns.map(quote[dialect]).join(', ')} from ${own('service_events')} where position > ${from} order by position`,
    )
    return found.map(([write, collection, item, kind, before, after, user]) => ({
      write: write ?? '',
      collection: collection ?? '',
      item: item ?? '',
      kind: kind ?? '',
      before: parsed(before),
      after: parsed(after),
      user: user ?? null,
    }))
  }
  let ends = 0
  const told = async () => {
    ends += 1
    await other.query(`insert into ends values (${ends})`)
    const isEnd = ({ collection, item }: Told) => collection === 'ends' && item === String(ends)
    await until(async () => (await all()).some(isEnd), 10, 'the last change')
    return (await all()).filter(({ collection }) => collection !== 'ends')
  }
  await install()
  await until(async () => (await all()).some(({ kind }) => kind === 'heard'), 10, 'all is captured')
  await until(async () => (await switched('ends')) !== null, 10, 'triggers are on')

  return {
    database,
    service: () => service,
    other,
    own,
    printed,
    install,
    switched,
    told,
    async restart(more = {}) {
      await service.stop()
      service = await startService({ ...environment, ...more })
    },
    unfit: async () =>
      (await runDoctor({ ...environment, SECRET }))
        .filter(({ name }) => name === 'triggers')
        .flatMap(({ findings }) => findings.map(({ text }) => text)),
    async forget() {
      await told()
      from = Number((await database.query(`select max(position) from ${own('service_events')}`))[0]?.[0] ?? 0)
    },
    async close() {
      await service.stop()
      await other.close()
      await database.drop()
    },
  }
}
