import { createHash } from 'node:crypto'
import { LARGEST_IMAGE } from '../../bulk.ts'
import { SWITCHED_OFF, type TriggeredTable, type TriggerSource } from '../../outside.ts'
import { SWITCH } from '../../service/trigger-switches.ts'
import { list, sql, table, type Sql } from '../../sql.ts'
import type { TypedColumn } from '../../typed-column.ts'
import { jsonObject } from './json.ts'
import { joinedKey, shownPart } from './keys.ts'
import { literalText } from './literal-text.ts'
import { formOf } from './values.ts'

/** How the names of the triggers begin. */
export const TRIGGER = 'tain_events_'

type Event = 'insert' | 'update' | 'delete'

const nameOf = (part: string, { schema, name }: TriggeredTable): string =>
  `${TRIGGER}${part}_${createHash('sha256')
    .update(JSON.stringify([schema, name]))
    .digest('hex')
    .slice(0, 16)}`

type Source = 'old' | 'new'

/** The time of a timestamp in UTC, whatever the time zone of the other program is. */
function valueOf(source: Source, { name, column: { baseType } }: TypedColumn): Sql {
  const value = source === 'old' ? sql`old.${sql.id(name)}` : sql`new.${sql.id(name)}`
  return baseType === 'timestamp'
    ? sql`(timestamp('1970-01-01') + interval round(unix_timestamp(${value}) * 1000000) microsecond)`
    : value
}

function itemOf(source: Source, { key }: TriggeredTable): Sql {
  const parts = key.map((part) => ({ value: valueOf(source, part), column: part }))
  const [only, ...others] = parts
  return only !== undefined && others.length === 0 ? shownPart(only) : joinedKey(parts)
}

/** The forms of secrets mask them. */
function imageOf(source: Source, { columns }: TriggeredTable, fingerprint: string): Sql {
  const row = jsonObject(
    columns.map((each) => ({
      name: each.name,
      isCatalogueName: true,
      value: formOf(each).json(valueOf(source, each)),
    })),
  )
  return sql`if(w.fingerprint = ${fingerprint} and char_length(${row}) <= ${sql.lit(LARGEST_IMAGE)}, ${row}, null)`
}

/** What one trigger tells. */
interface Part {
  readonly name: string
  readonly event: Event
  readonly kind: string
  readonly item: Sql
  readonly before: Sql
  readonly after: Sql
  readonly condition: Sql
}

/** One row that got another key is a row that went and a row that came. */
function partsOf(of: TriggeredTable, fingerprint: string): readonly Part[] {
  const [oldKey, newKey] = [itemOf('old', of), itemOf('new', of)]
  const [before, after] = [imageOf('old', of, fingerprint), imageOf('new', of, fingerprint)]
  const nothing = sql`null`
  const came = { kind: 'create', item: newKey, before: nothing, after }
  const went = { kind: 'delete', item: oldKey, before, after: nothing }
  const isMoved = sql` and binary ${oldKey} <> binary ${newKey}`
  const isSame = sql` and binary ${oldKey} = binary ${newKey}`
  return [
    { ...came, name: 'insert', event: 'insert', condition: sql`` },
    { ...went, name: 'delete', event: 'delete', condition: sql`` },
    { ...went, name: 'went', event: 'update', condition: isMoved },
    { ...came, name: 'came', event: 'update', condition: isMoved },
    { name: 'update', event: 'update', kind: 'update', item: newKey, before, after, condition: isSame },
  ]
}

/**
 * One statement, so that clients need no other delimiter, and without derived tables: MariaDB 10.11 crashes when it frees
 * those of a trigger that is switched off, at the second row of a statement. Reading in a trigger locks what was read until the transaction ends, so it
 * reads nothing but its switch, which seldom changes. Each change has its own name: a trigger does not know its transaction.
 */
const bodyOf = (part: Part, { collection }: TriggeredTable, systemSchema: string): Sql => {
  const columns = ['write', 'collection', 'item', 'kind', 'before', 'after', 'at'].map((name) => sql.id(name))
  return sql`insert into ${table(systemSchema, 'service_outbox')} (${list(columns)})
    select concat('o', uuid()), ${collection}, ${part.item}, ${part.kind}, ${part.before}, ${part.after}, utc_timestamp(6)
    from ${table(systemSchema, 'service_watch')} w
    where w.name = ${`${SWITCH}${collection}`} and w.fingerprint <> ${SWITCHED_OFF} and ${OWN} is null${part.condition}`
}

/** Set in sessions of the service. */
const OWN = sql`@tain_own`

/** Forms and literals are those of the service's sessions: a trigger keeps the settings with which it was made. */
const SETTINGS = [
  `set names utf8mb4 collate utf8mb4_bin;`,
  `set session sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO';`,
]

/** How many parts there are. */
const PER_TABLE = 5

export const triggers: TriggerSource = {
  perTable: PER_TABLE,
  seeInterest: false,
  prepare: () => SETTINGS,
  create: (of, systemSchema, fingerprint) =>
    partsOf(of, fingerprint).flatMap((part) => {
      const name = literalText(table(of.schema, nameOf(part.name, of)))
      const target = literalText(table(of.schema, of.name))
      return [
        `drop trigger if exists ${name};`,
        `create trigger ${name} after ${part.event} on ${target} for each row ${literalText(bodyOf(part, of, systemSchema))};`,
      ]
    }),
  installed: (schema) => sql`select t.event_object_schema, t.event_object_table, t.action_statement,
      concat('drop trigger if exists \`', replace(t.trigger_schema, '\`', '\`\`'), '\`.\`', t.trigger_name, '\`;')
    from information_schema.triggers t where left(t.trigger_name, ${sql.lit(TRIGGER.length)}) = ${TRIGGER}
      and instr(t.action_statement, concat('\`', replace(${schema}, '\`', '\`\`'), '\`.\`service_outbox\`')) > 0
    order by 1, 2, t.trigger_name`,
  clear: () => [],
}
