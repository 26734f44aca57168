import type { TestDatabase } from '../lib/databases.ts'

/**
 * What the database itself has recorded: triggers of the test write each change of these tables into `history`, in the same
 * transaction, while the row is locked. Rows of `notes` are only ever created, so the table is its own history.
 */
export const TABLES = ['things', 'others', 'mixed'] as const
/** Written by the service, by other programs, and by both. */
export type Table = (typeof TABLES)[number]

const columns = 'mark varchar(60), level integer, padding varchar(200)'
const note = (name: Table, kind: string, row: 'new' | 'old') =>
  `insert into history (source, item, kind, mark, level)
    values ('${name}', ${row}.id, '${kind}', ${row === 'new' ? 'new.mark, new.level' : 'null, null'})`
const recorded = [
  ['insert', 'create', 'new'],
  ['update', 'update', 'new'],
  ['delete', 'delete', 'old'],
] as const

/** Without a key, so that nobody is told of the history itself. */
const scripts: Readonly<Record<TestDatabase['dialect'], readonly string[]>> = {
  postgres: [
    'create table history (seq bigserial, source varchar(10), item integer, kind varchar(10), mark varchar(60), level integer)',
    'create index on history (seq)',
    `create function keep_history() returns trigger language plpgsql as $$ begin
      insert into history (source, item, kind, mark, level) values (tg_table_name, coalesce(new.id, old.id),
        case tg_op when 'INSERT' then 'create' when 'UPDATE' then 'update' else 'delete' end, new.mark, new.level);
      return null; end $$`,
    ...TABLES.flatMap((name) => [
      `create table ${name} (id integer primary key, ${columns})`,
      `alter table ${name} replica identity full`,
      `create trigger keep after insert or update or delete on ${name} for each row execute function keep_history()`,
    ]),
  ],
  mysql: [
    'create table history (seq bigint auto_increment, source varchar(10), item integer, kind varchar(10), mark varchar(60), level integer, key (seq))',
    ...TABLES.flatMap((name) => [
      `create table ${name} (id integer primary key, ${columns})`,
      ...recorded.map(
        ([event, kind, row]) =>
          `create trigger ${name}_${event} after ${event} on ${name} for each row ${note(name, kind, row)}`,
      ),
    ]),
  ],
  sqlite: [
    'create table history (seq integer primary key autoincrement, source varchar(10), item integer, kind varchar(10), mark varchar(60), level integer)',
    ...TABLES.flatMap((name) => [
      `create table ${name} (id integer primary key not null, ${columns})`,
      ...recorded.map(
        ([event, kind, row]) =>
          `create trigger ${name}_${event} after ${event} on ${name} begin ${note(name, kind, row)}; end`,
      ),
    ]),
  ],
}

export async function createHistory(database: TestDatabase): Promise<void> {
  await database.query('create table notes (id varchar(40) primary key, text varchar(200))')
  for (const statement of scripts[database.dialect]) await database.query(statement)
}

/** One change of an item: its kind, and the mark that the row had afterwards. */
export type Step = string

/** A state of a row: marks are given once. */
export interface State {
  /** The row, and when it came to this state. */
  readonly item: string
  readonly order: number
  readonly level: number
}

export interface History {
  /** The steps of each item, in order; `things/1`. */
  readonly steps: ReadonlyMap<string, readonly Step[]>
  readonly states: ReadonlyMap<string, State>
}

const AT_ONCE = 100_000

async function inParts(
  from: (after: number) => string,
  database: TestDatabase,
  each: (row: readonly (string | null)[]) => void,
): Promise<void> {
  for (let after = 0; ;) {
    const rows = await database.query(from(after))
    for (const row of rows) each(row)
    if (rows.length < AT_ONCE) return
    after = Number(rows.at(-1)?.[0])
  }
}

export async function historyOf(database: TestDatabase): Promise<History> {
  const steps = new Map<string, Step[]>()
  const states = new Map<string, State>()
  const read = (after: number) =>
    `select seq, source, item, kind, mark, level from history where seq > ${after} order by seq limit ${AT_ONCE}`
  await inParts(read, database, ([seq, source, id, kind, mark, level]) => {
    const item = `${source}/${id}`
    add(steps, item, `${kind} ${mark ?? ''}`)
    if ((mark ?? null) !== null) states.set(mark ?? '', { item, order: Number(seq), level: Number(level) })
  })
  return { steps, states }
}

export interface LoggedSteps {
  readonly steps: ReadonlyMap<string, readonly Step[]>
  readonly notes: readonly string[]
  /** Positions that are missing. */
  readonly gaps: number
  readonly count: number
  /** Changes whose row before is not the row after the change before it. */
  readonly torn: readonly string[]
}

/**
 * The same as the log tells it. Where the service and other programs write the same rows, their changes come to the log by two
 * ways, and only who reads the rows is told them in order: such tables are left to the subscribers.
 */
export async function loggedSteps(
  database: TestDatabase,
  table: string,
  quote: (name: string) => string,
): Promise<LoggedSteps> {
  const steps = new Map<string, Step[]>()
  const marks = new Map<string, string>()
  const notes: string[] = []
  const torn: string[] = []
  let [last, gaps, count] = [0, 0, 0]
  const read = ['position', 'collection', 'item', 'kind', quote('before'), quote('after')].join()
  await inParts(
    (after) => `select ${read} from ${table} where position > ${after} order by position limit ${AT_ONCE}`,
    database,
    ([position, collection, id, kind, before, after]) => {
      gaps += Number(position) - last - 1
      last = Number(position)
      if (kind === 'heard') return
      count += 1
      if (collection === 'notes') return void notes.push(id ?? '')
      if (collection !== 'things' && collection !== 'others') return
      const item = `${collection}/${id}`
      const [was, is] = [markIn(before), markIn(after)]
      if (was !== (marks.get(item) ?? '')) torn.push(`${position}: ${item} was ${was}, not ${marks.get(item)}`)
      marks.set(item, is)
      add(steps, item, `${kind} ${is}`)
    },
  )
  return { steps, notes, gaps, count, torn }
}

const markIn = (row: string | null | undefined): string =>
  (row ?? null) === null ? '' : ((JSON.parse(row ?? '{}') as { readonly mark?: string | null }).mark ?? '')

function add(steps: Map<string, Step[]>, item: string, step: Step): void {
  const known = steps.get(item)
  if (known === undefined) steps.set(item, [step])
  else known.push(step)
}
