import { createHash } from 'node:crypto'
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { LARGEST_IMAGE } from '../../bulk.ts'
import { createCompile } from '../../compile.ts'
import type { TriggeredTable, TriggerSource } from '../../outside.ts'
import { SWITCH } from '../../service/trigger-switches.ts'
import { allOf, list, sql, type Sql } from '../../sql.ts'
import type { TypedColumn } from '../../typed-column.ts'
import { joinedKey } from './keys.ts'
import { transactionName } from './own-transactions.ts'
import { plainForm } from './plain-forms.ts'
import { SCHEMA } from './scope.ts'

/** Triggers take no binds. */
class LiteralCompiler extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.appendImmediateValue(value)
  }
}

const compile = createCompile({
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (database) => new SqliteIntrospector(database),
  createQueryCompiler: () => new LiteralCompiler(),
})
const textOf = (statement: Sql): string => compile(statement).text

/** How the names of the triggers begin. */
export const TRIGGER = 'tain_events_'

type Kind = 'insert' | 'update' | 'delete'
const kinds: readonly Kind[] = ['insert', 'update', 'delete']

const nameOf = (kind: Kind, { name }: TriggeredTable): string =>
  `${TRIGGER}${kind}_${createHash('sha256').update(name).digest('hex').slice(0, 16)}`

type Source = 'old' | 'new'

const valueOf = (source: Source, { name }: TypedColumn): Sql =>
  source === 'old' ? sql`old.${sql.id(name)}` : sql`new.${sql.id(name)}`

/** Keys that only the service can print. */
const unprintable = new Set(['binary', 'timestamp', 'dateTime', 'time', 'float', 'decimal'])

/** null: nobody can say which row it was. */
function itemOf(source: Source, { key }: TriggeredTable): Sql | null {
  if (key.some(({ type }) => unprintable.has(type))) return null
  const parts = key.map((part) => ({ value: valueOf(source, part), column: part }))
  const [only, ...others] = parts
  return only !== undefined && others.length === 0 ? sql`cast(${only.value} as text)` : joinedKey(parts)
}

/** The members of a sum are nested as deep as there are of them, and the depth is limited. */
const LONGEST_SUM = 50

function joined(parts: readonly Sql[]): Sql {
  if (parts.length <= LONGEST_SUM) return sql`(${list(parts, sql` || `)})`
  const size = Math.ceil(parts.length / LONGEST_SUM)
  const groups = Array.from({ length: Math.ceil(parts.length / size) }, (_, index) =>
    joined(parts.slice(index * size, (index + 1) * size)),
  )
  return joined(groups)
}

/** NULL where a value has a form that only the service knows. */
function imageOf(source: Source, { columns }: TriggeredTable, fingerprint: string): Sql {
  const members = columns.map((each, index) => {
    const value = valueOf(source, each)
    const name = sql.lit(`${index === 0 ? '{' : ','}${JSON.stringify(each.name)}:`)
    return sql`${name} || case when ${value} is null then 'null' else ${plainForm(each).json(value)} end`
  })
  const known = columns.map((each) => {
    const value = valueOf(source, each)
    return sql`(${value} is null or ${plainForm(each).isKnown(value)})`
  })
  return sql`(select case when length(i.k) <= ${sql.lit(LARGEST_IMAGE)} then i.k end from (select
    case when w.fingerprint = ${fingerprint} and ${allOf(known)} then ${joined([...members, sql`'}'`])} end as k) i)`
}

interface Part {
  readonly kind: string
  readonly item: Sql
  readonly before: Sql
  readonly after: Sql
  readonly condition: Sql
}

/** One row that got another key is a row that went and a row that came. */
function partsOf(kind: Kind, of: TriggeredTable, fingerprint: string): readonly Part[] {
  const [oldKey, newKey] = [itemOf('old', of), itemOf('new', of)]
  const [before, after] = [imageOf('old', of, fingerprint), imageOf('new', of, fingerprint)]
  const nothing = sql`null`
  const always = sql``
  if (oldKey === null || newKey === null)
    return [{ kind: 'truncate', item: sql`''`, before: nothing, after: nothing, condition: always }]
  if (kind === 'insert') return [{ kind: 'create', item: newKey, before: nothing, after, condition: always }]
  if (kind === 'delete') return [{ kind: 'delete', item: oldKey, before, after: nothing, condition: always }]
  const isMoved = sql` and ${oldKey} <> ${newKey}`
  return [
    { kind: 'delete', item: oldKey, before, after: nothing, condition: isMoved },
    { kind: 'create', item: newKey, before: nothing, after, condition: isMoved },
    { kind: 'update', item: newKey, before, after, condition: sql` and ${oldKey} = ${newKey}` },
  ]
}

const columns = ['write', 'collection', 'item', 'kind', 'before', 'after'].map((name) => sql.id(name))

/** Names of tables in triggers have no schema. */
const insertOf = (part: Part, { collection }: TriggeredTable): Sql =>
  sql`insert into service_outbox (${list(columns)})
    select 'o' || ${transactionName}, ${collection}, ${part.item}, ${part.kind}, ${part.before}, ${part.after}
    from service_watch w where w.name = ${`${SWITCH}${collection}`}${part.condition};`

const events: Readonly<Record<Kind, Sql>> = { insert: sql`insert`, update: sql`update`, delete: sql`delete` }

const createOne = (kind: Kind, of: TriggeredTable, fingerprint: string): Sql =>
  sql`create trigger ${sql.id(nameOf(kind, of))} after ${events[kind]} on ${sql.id(of.name)}
  when exists (select 1 from service_event_interest where collection in (${of.collection}, '*'))
begin
  ${list(
    partsOf(kind, of, fingerprint).map((part) => insertOf(part, of)),
    sql` `,
  )}
end;`

export const triggers: TriggerSource = {
  perTable: kinds.length,
  seeInterest: true,
  prepare: () => [],
  create: (of, _, fingerprint) => [
    'begin immediate;',
    ...kinds.flatMap((kind) => [
      `drop trigger if exists ${textOf(sql`${sql.id(nameOf(kind, of))}`)};`,
      textOf(createOne(kind, of, fingerprint)),
    ]),
    'commit;',
  ],
  installed: () => sql`select ${SCHEMA}, tbl_name, sql, 'drop trigger if exists "' || replace(name, '"', '""') || '";'
    from sqlite_schema where type = 'trigger' and name glob ${`${TRIGGER}*`} order by tbl_name, name`,
  clear: () => [],
}
