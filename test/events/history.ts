import type { TestDatabase } from '../databases.ts'

/**
 * What the database itself has recorded: triggers of the test write each change of `things` into `history`, in the same
 * transaction, while the row is locked. Rows of `notes` are only ever created, so the table is its own history.
 */
const common = ['create table notes (id varchar(40) primary key, text varchar(200))']

const scripts: Readonly<Record<TestDatabase['dialect'], readonly string[]>> = {
  postgres: [
    'create table things (id integer primary key, mark varchar(60), padding varchar(200))',
    'create table history (seq bigserial primary key, item integer, kind varchar(10), mark varchar(60))',
    `create function keep_history() returns trigger language plpgsql as $$ begin
      insert into history (item, kind, mark) values (coalesce(new.id, old.id),
        case tg_op when 'INSERT' then 'create' when 'UPDATE' then 'update' else 'delete' end, new.mark);
      return null; end $$`,
    'create trigger keep after insert or update or delete on things for each row execute function keep_history()',
  ],
  mysql: [
    'create table things (id integer primary key, mark varchar(60), padding varchar(200))',
    'create table history (seq bigint auto_increment primary key, item integer, kind varchar(10), mark varchar(60))',
    "create trigger k1 after insert on things for each row insert into history (item, kind, mark) values (new.id, 'create', new.mark)",
    "create trigger k2 after update on things for each row insert into history (item, kind, mark) values (new.id, 'update', new.mark)",
    "create trigger k3 after delete on things for each row insert into history (item, kind, mark) values (old.id, 'delete', null)",
  ],
  sqlite: [
    'create table things (id integer primary key not null, mark varchar(60), padding varchar(200))',
    'create table history (seq integer primary key autoincrement, item integer, kind varchar(10), mark varchar(60))',
    "create trigger k1 after insert on things begin insert into history (item, kind, mark) values (new.id, 'create', new.mark); end",
    "create trigger k2 after update on things begin insert into history (item, kind, mark) values (new.id, 'update', new.mark); end",
    "create trigger k3 after delete on things begin insert into history (item, kind, mark) values (old.id, 'delete', null); end",
  ],
}

export async function createHistory(database: TestDatabase): Promise<void> {
  for (const statement of [...common, ...scripts[database.dialect]]) await database.query(statement)
}

/** One change of an item: its kind, and the mark that the row had afterwards. */
export type Step = string

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

/** The steps of each item, in order. */
export async function stepsOf(database: TestDatabase): Promise<ReadonlyMap<string, readonly Step[]>> {
  const steps = new Map<string, Step[]>()
  await inParts(
    (after) => `select seq, item, kind, mark from history where seq > ${after} order by seq limit ${AT_ONCE}`,
    database,
    ([, item, kind, mark]) => add(steps, item ?? '', `${kind} ${mark ?? ''}`),
  )
  return steps
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

/** The same as the log tells it. */
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
  const columns = ['position', 'collection', 'item', 'kind', quote('before'), quote('after')].join()
  await inParts(
    (after) => `select ${columns} from ${table} where position > ${after} order by position limit ${AT_ONCE}`,
    database,
    ([position, collection, item, kind, before, after]) => {
      gaps += Number(position) - last - 1
      last = Number(position)
      count += 1
      if (collection === 'notes') return void notes.push(item ?? '')
      if (collection !== 'things') return
      const [was, is] = [markIn(before), markIn(after)]
      if (was !== (marks.get(item ?? '') ?? ''))
        torn.push(`${position}: ${item} was ${was}, not ${marks.get(item ?? '')}`)
      marks.set(item ?? '', is)
      add(steps, item ?? '', `${kind} ${is}`)
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
