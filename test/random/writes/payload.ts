import type { Rng } from '../rng.ts'
import {
  callerMakesKey,
  type Column,
  columnOf,
  type Relation,
  relationsOf,
  type Schema,
  type Table,
  tableOf,
  VARCHAR,
} from './schema.ts'
import { isMade, keyOf, type Row, rowsOf, type State, valueOf } from './state.ts'
import { toJson } from './values.ts'

type Json = Record<string, unknown>

/** The inputs for generating one request. */
export interface Making {
  readonly rng: Rng
  readonly schema: Schema
  readonly state: State
  /** The share of values that are invalid. */
  readonly wrong: number
  /** Rows already named in the request; callers rarely name a row twice. */
  readonly named: Set<number>
  /** Numbers for new keys and labels. */
  readonly fresh: () => number
}

const MAX_DEPTH = 3
const MAX_ENTRIES = 3

/** The columns and relations of a new row; the parent fills `without`. */
export function newItem(making: Making, table: Table, depth: number, without: readonly string[] = []): Json {
  const item: Json = {}
  for (const column of table.columns) {
    if (without.includes(column.name) || (column.name !== 'label' && !isSent(making, table, column))) continue
    item[column.name] = newValue(making, table, column, depth)
  }
  addRelations(making, table, item, null, depth, without, 0.35)
  return spoiled(making, table, item)
}

/** Some columns and relations of an existing row. */
export function changes(
  making: Making,
  table: Table,
  row: Row | null,
  depth: number,
  without: readonly string[] = [],
): Json {
  const { rng } = making
  const item: Json = {}
  for (const column of table.columns) {
    if (without.includes(column.name) || table.key.includes(column.name)) continue
    if (rng.chance(0.35)) item[column.name] = newValue(making, table, column, depth)
  }
  addRelations(making, table, item, row, depth, without, 0.35)
  return spoiled(making, table, item)
}

function isSent({ rng, wrong }: Making, table: Table, { name, fill, nullable }: Column): boolean {
  if (fill === 'counter' || fill === 'uuid') return rng.chance(0.05)
  if (table.any?.column === name || table.any?.collectionColumn === name) return false
  if (nullable || fill !== 'none') return rng.chance(0.6)
  return !rng.chance(wrong)
}

function spoiled({ rng, wrong }: Making, table: Table, item: Json): Json {
  if (rng.chance(wrong / 2)) return { ...item, no_such_field: 1 }
  const column = rng.pick(table.columns)
  if (rng.chance(wrong / 2) && !column.nullable && !table.key.includes(column.name))
    return { ...item, [column.name]: null }
  return item
}

// values

function newValue(making: Making, table: Table, column: Column, depth: number): unknown {
  const { rng, wrong, fresh } = making
  const relation = relationsOf(making.schema, table.name).get(column.name)
  if (relation?.kind === 'one') return toOneValue(making, relation, column, depth)
  if (rng.chance(wrong / 3)) return wrongValue(rng, column)
  if (column.name === 'label') return `n${fresh()}`
  if (column.nullable && rng.chance(0.12)) return null
  const isDistinct = table.key.includes(column.name) || table.uniques.some((unique) => unique.includes(column.name))
  if (!isDistinct) return plainValue(making, column)
  const taken = rowsOf(making.state, table.name)
  if (rng.chance(wrong) && taken.length > 0) return jsonOf(column, rng.pick(taken))
  return freshValue(column, fresh())
}

const jsonOf = (column: Column, row: Row): unknown => {
  const value = valueOf(row, column.name)
  return toJson(column, isMade(value) ? null : value)
}

function freshValue({ type }: Column, number: number): unknown {
  if (type === 'uuid') return `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`
  return type === 'integer' ? 1000 + number : `k${number}`
}

function plainValue({ rng, wrong }: Making, { type, min }: Column): unknown {
  const low = min !== null && !rng.chance(wrong / 2) ? min : -9
  switch (type) {
    case 'integer':
      return rng.int(low, 9)
    case 'bigint':
      return rng.chance(0.5) ? rng.int(-5, 5) : '9007199254740995'
    case 'numeric':
      return rng.chance(0.5) ? rng.int(low, 9) : String(rng.int(Math.max(low, 0), 99) + 0.25)
    case 'boolean':
      return rng.chance(0.5)
    case 'date':
      return rng.pick(['2024-02-29', '1999-12-31', '2030-01-01'])
    case 'uuid':
      return rng.pick(['aaaaaaaa-0000-4000-8000-00000000000a', 'bbbbbbbb-0000-4000-8000-00000000000b'])
    case 'varchar':
      return rng.pick(['', 'a', 'ü"\\', 'null', 'ten chars!'])
    case 'text':
      return rng.pick(['', 'some', "it's", '{"a":1}', 'two\nlines', '$1'])
  }
}

function wrongValue(rng: Rng, { type }: Column): unknown {
  if (type === 'varchar') return 'x'.repeat(VARCHAR + 1)
  if (type === 'text') return null
  return rng.pick<unknown>(type === 'boolean' ? ['perhaps', 7] : ['abc', true, '2024-13-45x'])
}

// keys

/** A row that the request does not name yet, if there is one. */
export function pickRow(
  { rng, state, named }: Making,
  table: Table,
  among: (row: Row) => boolean = () => true,
): Row | null {
  const rows = rowsOf(state, table.name).filter(among)
  const free = rows.filter(({ id }) => !named.has(id))
  const pool = free.length > 0 || rng.chance(0.9) ? free : rows
  if (pool.length === 0) return null
  const row = rng.pick(pool)
  named.add(row.id)
  return row
}

const partJson = (table: Table, name: string, row: Row): unknown => {
  const column = columnOf(table, name)
  return column === undefined ? null : jsonOf(column, row)
}

export const keyObject = (table: Table, row: Row): Json =>
  Object.fromEntries(table.key.map((name) => [name, partJson(table, name, row)]))

export const keyAsText = (table: Table, row: Row): string =>
  keyOf(row, table)
    .map((part) => encodeURIComponent(isMade(part) ? '' : String(part)))
    .join(',')

/** A plain key as written in lists. */
export function plainKey({ rng }: Making, table: Table, row: Row): unknown {
  if (table.key.length > 1) return keyAsText(table, row)
  const value = partJson(table, table.key[0] ?? '', row)
  return typeof value === 'number' && rng.chance(0.1) ? String(value) : value
}

export function missingKey({ fresh }: Making, table: Table): Json {
  return Object.fromEntries(
    table.key.map((name) => {
      const column = columnOf(table, name)
      return [name, column === undefined ? null : freshValue(column, 900 + fresh())]
    }),
  )
}

export function missingPlainKey(making: Making, table: Table): unknown {
  const parts = Object.values(missingKey(making, table))
  return table.key.length > 1 ? parts.join(',') : parts[0]
}

// relations

function toOneValue(
  making: Making,
  relation: Extract<Relation, { kind: 'one' }>,
  column: Column,
  depth: number,
): unknown {
  const { rng, wrong, schema, state } = making
  const table = tableOf(schema, relation.target)
  if (column.nullable && rng.chance(0.12)) return null
  if (rng.chance(wrong / 2)) return missingPlainKey(making, table)
  const isPart = relation.columns.length > 1
  if (!isPart && depth < MAX_DEPTH && rng.chance(0.3)) return nestedItem(making, table, depth + 1)
  const rows = rowsOf(state, table.name)
  if (rows.length === 0) return column.nullable ? null : nestedItem(making, table, depth + 1)
  const at = relation.columns.indexOf(column.name)
  return partJson(table, relation.targetColumns[at] ?? '', rng.pick(rows))
}

/** A nested object: new, changed, or only referenced. */
function nestedItem(making: Making, table: Table, depth: number): Json {
  const { rng, wrong } = making
  const row = pickRow(making, table)
  const isNew = row === null || rng.chance(0.5) || depth > MAX_DEPTH
  if (isNew && !callerMakesKey(table) && rng.chance(wrong))
    return { ...missingKey(making, table), ...changes(making, table, null, depth) }
  if (isNew) return newItem(making, table, depth)
  if (rng.chance(0.3)) return keyObject(table, row)
  return { ...keyObject(table, row), ...changes(making, table, row, depth) }
}

function addRelations(
  making: Making,
  table: Table,
  item: Json,
  row: Row | null,
  depth: number,
  without: readonly string[],
  share: number,
): void {
  const { rng } = making
  if (table.any !== null && rng.chance(row === null ? 0.9 : 0.4)) addAny(making, table, item, row, depth)
  if (depth >= MAX_DEPTH) return
  for (const relation of relationsOf(making.schema, table.name).values()) {
    if (!rng.chance(share / depth)) continue
    if (relation.kind === 'many') item[relation.field] = toManyValue(making, relation, table, row, depth)
    if (relation.kind === 'through') item[relation.field] = throughValue(making, relation, row, depth)
    if (relation.kind !== 'one' || relation.columns.length === 1) continue
    if (relation.columns.some((name) => without.includes(name) || table.key.includes(name))) continue
    for (const name of relation.columns) delete item[name]
    item[relation.field] = compositeValue(making, relation, table, depth)
  }
}

function compositeValue(
  making: Making,
  relation: Extract<Relation, { kind: 'one' }>,
  table: Table,
  depth: number,
): unknown {
  const { rng, wrong } = making
  const to = tableOf(making.schema, relation.target)
  const isNullable = columnOf(table, relation.columns[0] ?? '')?.nullable === true
  if (isNullable && rng.chance(0.15)) return null
  if (rng.chance(wrong / 2)) return missingPlainKey(making, to)
  const row = rng.chance(0.5) ? pickRow(making, to) : null
  return row === null ? nestedItem(making, to, depth + 1) : plainKey(making, to, row)
}

/** The junction row of a many-to-any relation: collection and item. */
function addAny(making: Making, table: Table, item: Json, row: Row | null, depth: number): void {
  const { rng, wrong, schema } = making
  if (table.any === null) return
  const { column, collectionColumn, allowed } = table.any
  const current = row === null ? null : valueOf(row, collectionColumn)
  const knows = typeof current === 'string' && allowed.includes(current)
  const name = knows && rng.chance(0.6) ? current : rng.pick(allowed)
  const to = tableOf(schema, name)
  if (!(knows && name === current && rng.chance(0.5)) && !rng.chance(wrong / 3)) item[collectionColumn] = name
  if (rng.chance(wrong / 3)) item[collectionColumn] = 'authors'
  const linked = rng.chance(0.4) ? pickRow(making, to) : null
  if (linked !== null && item[collectionColumn] === name) item[column] = plainKey(making, to, linked)
  else item[column] = nestedItem(making, to, depth + 1)
}

type Many = Extract<Relation, { kind: 'many' }>

const times = <T>(rng: Rng, high: number, make: () => T): T[] => Array.from({ length: rng.int(0, high) }, make)

function toManyValue(making: Making, relation: Many, parent: Table, row: Row | null, depth: number): unknown {
  const { rng, wrong, schema } = making
  const child = tableOf(schema, relation.child)
  const isOwn = (candidate: Row) =>
    row !== null &&
    relation.childColumns.every(
      (name, index) => valueOf(candidate, name) === valueOf(row, relation.columns[index] ?? parent.key[0] ?? ''),
    )
  const fresh = () => newItem(making, child, depth + 1, relation.childColumns)
  const pick = () => (rng.chance(0.75) ? pickRow(making, child, isOwn) : null) ?? pickRow(making, child)
  const changed = (): Json => {
    const found = rng.chance(wrong) ? null : pick()
    const key = found === null ? missingKey(making, child) : keyObject(child, found)
    return { ...changes(making, child, found, depth + 1, relation.childColumns), ...key }
  }
  const plain = (): unknown => {
    const found = rng.chance(wrong) ? null : pick()
    return found === null ? missingPlainKey(making, child) : plainKey(making, child, found)
  }
  return listValue(making, { fresh, changed, plain, isEmpty: rowsOf(making.state, child.name).length === 0 })
}

function throughValue(
  making: Making,
  relation: Extract<Relation, { kind: 'through' }>,
  row: Row | null,
  depth: number,
): unknown {
  const { rng, wrong, schema, state } = making
  const far = tableOf(schema, relation.target)
  const links = rowsOf(state, relation.junction).filter(
    (link) =>
      row !== null &&
      relation.nearColumns.every((name, index) => valueOf(link, name) === valueOf(row, relation.columns[index] ?? '')),
  )
  const isLinked = (candidate: Row) =>
    links.some((link) =>
      relation.farColumns.every(
        (name, index) => valueOf(link, name) === valueOf(candidate, relation.targetColumns[index] ?? ''),
      ),
    )
  const pick = () => (rng.chance(0.5) ? pickRow(making, far, isLinked) : null) ?? pickRow(making, far)
  const changed = (): Json => {
    const found = rng.chance(wrong) ? null : pick()
    const key = found === null ? missingKey(making, far) : keyObject(far, found)
    return { ...changes(making, far, found, depth + 1), ...key }
  }
  const plain = (): unknown => {
    const found = rng.chance(wrong) ? null : pick()
    return found === null ? missingPlainKey(making, far) : plainKey(making, far, found)
  }
  const fresh = () => newItem(making, far, depth + 1)
  return listValue(making, { fresh, changed, plain, isEmpty: rowsOf(state, far.name).length === 0 })
}

interface EntryMakers {
  readonly fresh: () => Json
  readonly changed: () => Json
  readonly plain: () => unknown
  /** There is no row to name. */
  readonly isEmpty: boolean
}

function listValue({ rng, wrong }: Making, { fresh, changed, plain, isEmpty }: EntryMakers): unknown {
  if (rng.chance(wrong / 6)) return rng.pick<unknown>([{ remove: [1] }, 7, { create: { a: 1 } }, { update: [1] }, 'x'])
  if (rng.chance(0.06)) return null
  const high = isEmpty ? 0 : MAX_ENTRIES
  if (rng.chance(0.5)) {
    const entry = (): unknown =>
      isEmpty
        ? fresh()
        : rng.weighted<() => unknown>([
            [4, plain],
            [3, fresh],
            [3, changed],
          ])()
    return times(rng, MAX_ENTRIES, entry)
  }
  const detailed: Json = {}
  if (rng.chance(0.6)) detailed['create'] = times(rng, 2, fresh)
  if (rng.chance(0.5)) detailed['update'] = times(rng, Math.min(high, 2), changed)
  if (rng.chance(0.5)) detailed['delete'] = times(rng, Math.min(high, 2), plain)
  if (rng.chance(wrong / 3)) detailed['update'] = [{ label: 'without key' }]
  return detailed
}
