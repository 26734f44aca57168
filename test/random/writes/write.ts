import {
  callerMakesKey,
  columnOf,
  type Relation,
  relationsOf,
  type Table,
  type Through,
  type ToMany,
  type ToOne,
} from './schema.ts'
import { findRow, isSame, type Row, rowsOf, type Value, valueOf, valuesOf, keyOf } from './state.ts'
import {
  addRow,
  cellId,
  existing,
  isObject,
  keyIn,
  keyParts,
  mustExist,
  type Payload,
  type Run,
  setValue,
  target,
} from './run-state.ts'
import { continuedOrder } from './orders.ts'
import { Refused, stored } from './values.ts'

/** The columns of a payload; the targets of its to-one relations are written first. */
interface Own {
  readonly values: Map<string, Value>
  /** Columns given as plain values. */
  readonly plain: Set<string>
}

type AnyRelation = Extract<Relation, { kind: 'any' }>

/** The position in the payload fills `forced`. The service fills `order` itself, which requires no permission. */
export function create(
  run: Run,
  table: Table,
  sent: Payload,
  forced: ReadonlyMap<string, Value> = new Map(),
  order: ReadonlyMap<string, Value> = new Map(),
): Row {
  const placed = [...forced.keys()]
  const payload = { ...run.guard.create(run, table, without(sent, placed), placed), ...sent }
  const own = ownValues(run, table, payload, new Set(forced.keys()), null)
  pointedTogether(run, table, own, null, forced)
  const row = addRow(run, table, new Map([...own.values, ...forced, ...order]))
  run.direct.add(table.name)
  for (const name of own.plain) run.scalars.add(cellId(row, name))
  children(run, table, row, payload, new Set(forced.keys()))
  return row
}

export function update(
  run: Run,
  table: Table,
  row: Row,
  sent: Payload,
  forced: ReadonlyMap<string, Value> = new Map(),
): void {
  const skipped = new Set([...table.key, ...forced.keys()])
  const own = without(sent, [...skipped])
  const payload = isNamedOnly(run, table, row, own, forced)
    ? named(run, table, row)
    : changed(run, table, row, own, [...forced.keys()])
  assign(run, table, row, ownValues(run, table, payload, skipped, row), forced)
  children(run, table, row, payload, skipped)
}

/** Whether a row is only referenced and keeps its place from before the request. */
function isNamedOnly(run: Run, table: Table, row: Row, payload: Payload, forced: ReadonlyMap<string, Value>): boolean {
  if (forced.size === 0 || Object.keys(payload).length > 0) return false
  const before = rowsOf(run.before, table.name).find(({ id }) => id === row.id)
  const stood = (where: Row | undefined) =>
    where !== undefined && [...forced].every(([name, value]) => isSame(valueOf(where, name), value))
  if (stood(before) && !stood(row)) run.open.add('a row is named where it stood, and was moved')
  return stood(before)
}

const nothing: Payload = {}

function named(run: Run, table: Table, row: Row): Payload {
  run.guard.link(run, table, row)
  return nothing
}

const changed = (run: Run, table: Table, row: Row, sent: Payload, placed: readonly string[]): Payload => ({
  ...run.guard.update(run, table, row, sent, placed),
  ...sent,
})

const without = (payload: Payload, names: readonly string[]): Payload =>
  Object.fromEntries(Object.entries(payload).filter(([name]) => !names.includes(name)))

/** Applies one change to several rows: writes their to-one targets once, and their children once per row. */
export function updateAll(run: Run, table: Table, rows: readonly Row[], sent: Payload): void {
  const skipped = new Set(table.key)
  const own = without(sent, table.key)
  const payload = rows.map((row) => changed(run, table, row, own, []))[0] ?? own
  // The rows may belong to different collections; the contract does not say whether they share a new item.
  if (table.any !== null && isObject(payload[table.any.column]) && rows.length > 1)
    if (typeof payload[table.any.collectionColumn] !== 'string') run.open.add('items of several entries at once')
  const values = ownValues(run, table, payload, skipped, rows[0] ?? null)
  for (const [index, row] of rows.entries()) {
    run.item = index
    assign(run, table, row, values, new Map())
  }
  for (const [index, row] of rows.entries()) {
    run.item = index
    children(run, table, row, payload, skipped)
  }
}

function assign(run: Run, table: Table, row: Row, { values, plain }: Own, forced: ReadonlyMap<string, Value>): void {
  pointedTogether(run, table, { values, plain }, row, forced)
  run.linked.add(row.id)
  if (table.key.some((name) => forced.has(name))) {
    if (run.moved.has(row.id)) run.mayRefuse.add('a key changes twice')
    run.moved.add(row.id)
  }
  for (const [name, value] of [...values, ...forced]) setValue(run, table, row, name, value)
  for (const name of plain) run.scalars.add(cellId(row, name))
}

function ownValues(run: Run, table: Table, payload: Payload, skipped: ReadonlySet<string>, row: Row | null): Own {
  const own: Own = { values: new Map(), plain: new Set() }
  for (const [name, value] of Object.entries(payload)) {
    if (skipped.has(name)) continue
    const relation = relationsOf(run.schema, table.name).get(name)
    const column = columnOf(table, name)
    if (relation === undefined && column === undefined) throw new Refused(400, `${name} is no field of ${table.name}`)
    if (relation?.kind === 'one' && (isObject(value) || column === undefined)) toOne(run, relation, value, own)
    else if (relation?.kind === 'any' && isObject(value))
      own.values.set(name, toAny(run, relation, payload, value, row))
    else if (column !== undefined) {
      const text = given(column, value, table)
      own.values.set(name, text)
      own.plain.add(name)
      if (relation?.kind === 'one' && text !== null) pointed(run, relation, [text])
    }
  }
  return own
}

function given(column: NonNullable<ReturnType<typeof columnOf>>, value: unknown, table: Table): Value {
  const text = stored(column, value)
  if (text === null && !column.nullable) throw new Refused(400, `${table.name}.${column.name} may not be null`)
  return text
}

/** Checks the row that a plain key in a column references. */
function pointed(run: Run, { target: name, targetColumns }: ToOne, key: readonly Value[]): void {
  const table = target(run, name)
  const row = findRow(run.before, name, targetColumns, key)
  if (row === undefined) run.guard.miss(run, table)
  else run.guard.link(run, table, row)
}

/** Checks keys that span several columns: of a many-to-any item, and composite keys. */
function pointedTogether(
  run: Run,
  table: Table,
  { values, plain }: Own,
  row: Row | null,
  forced: ReadonlyMap<string, Value>,
): void {
  const valueIn = (name: string): Value => {
    const value = forced.get(name) ?? values.get(name)
    if (value !== undefined) return value
    if (row !== null && run.writes.has(cellId(row, name))) run.open.add('a key whose other part is written elsewhere')
    return row === null ? null : valueOf(row, name)
  }
  if (table.any !== null && plain.has(table.any.column)) {
    const [text, name] = [values.get(table.any.column) ?? null, valueIn(table.any.collectionColumn)]
    if (row !== null && values.has(table.any.collectionColumn) && name === null)
      run.open.add('an item while its collection goes')
    const item = typeof name === 'string' ? run.schema.tables.get(name) : undefined
    if (text !== null && item?.key.length === 1)
      pointed(run, { kind: 'one', field: '', columns: [], target: item.name, targetColumns: item.key }, [text])
  }
  for (const { columns, target: name, targetColumns } of table.foreignKeys) {
    if (columns.length < 2 || !columns.some((column) => plain.has(column))) continue
    const parts = columns.map(valueIn)
    if (!parts.includes(null)) pointed(run, { kind: 'one', field: '', columns, target: name, targetColumns }, parts)
  }
}

function toOne(run: Run, relation: ToOne, value: unknown, { values }: Own): void {
  if (value === null) {
    for (const name of relation.columns) values.set(name, null)
    return
  }
  const table = target(run, relation.target)
  const row = isObject(value) ? nested(run, table, value) : linked(run, table, value)
  run.linked.add(row.id)
  for (const [index, name] of relation.columns.entries())
    values.set(name, valueOf(row, relation.targetColumns[index] ?? name))
}

function toAny(run: Run, { field, link }: AnyRelation, payload: Payload, value: Payload, row: Row | null): Value {
  const sent = payload[link.collectionColumn]
  const known = row === null ? null : valueOf(row, link.collectionColumn)
  const name = typeof sent === 'string' ? sent : known
  const isRewritten = row !== null && run.writes.has(cellId(row, link.collectionColumn))
  if (typeof sent !== 'string' && (sent === null || isRewritten)) run.open.add('an item while its collection goes')
  if (typeof name !== 'string') throw new Refused(400, `${field} does not say of which collection it is`)
  if (!link.allowed.includes(name)) throw new Refused(400, `${name} is not allowed at ${field}`)
  const table = target(run, name)
  const item = nested(run, table, value)
  run.linked.add(item.id)
  return keyOf(item, table)[0] ?? null
}

function linked(run: Run, table: Table, key: unknown): Row {
  const row = mustExist(run, table, keyParts(key, table))
  run.guard.link(run, table, row)
  return row
}

/** A nested object: new without a key, changed with one. */
function nested(run: Run, table: Table, payload: Payload): Row {
  const key = keyIn(payload, table)
  if (key === null) return create(run, table, payload)
  const row = existing(run, table, key)
  if (row === undefined) return createWithKey(run, table, payload, key)
  if (Object.keys(payload).every((name) => table.key.includes(name))) run.guard.link(run, table, row)
  else update(run, table, row, payload)
  return row
}

function createWithKey(
  run: Run,
  table: Table,
  payload: Payload,
  key: readonly string[],
  forced: ReadonlyMap<string, Value> = new Map(),
): Row {
  if (!callerMakesKey(table)) {
    if (table.key.every((name) => columnOf(table, name)?.fill === 'none'))
      run.open.add('a key made of foreign keys alone')
    throw new Refused(403, `${table.name} ${key.join(',')} does not exist`)
  }
  return create(run, table, payload, forced)
}

function children(run: Run, table: Table, row: Row, payload: Payload, skipped: ReadonlySet<string>): void {
  for (const [name, value] of Object.entries(payload)) {
    const relation = relationsOf(run.schema, table.name).get(name)
    if (skipped.has(name) || (relation?.kind !== 'many' && relation?.kind !== 'through')) continue
    const list = `${row.id}.${relation.kind === 'many' ? `${relation.child}.${relation.childColumns.join()}` : `${relation.junction}.${relation.nearColumns.join()}`}`
    if (run.lists.has(list)) run.open.add('one list is written twice')
    run.lists.add(list)
    if (relation.kind === 'many') toMany(run, row, relation, value)
    else through(run, row, relation, value)
  }
}

interface Entries {
  /** In the order sent; null if the list is not in basic form. */
  readonly basic: readonly unknown[] | null
  readonly create: readonly Payload[]
  readonly update: readonly Payload[]
  readonly remove: readonly unknown[]
}

function entriesOf(value: unknown, field: string): Entries {
  const none = { create: [], update: [], remove: [] }
  if (value === null) return { ...none, basic: [] }
  if (Array.isArray(value)) return { ...none, basic: value }
  if (!isObject(value)) throw new Refused(400, `${field} is no list`)
  for (const name of Object.keys(value))
    if (!['create', 'update', 'delete'].includes(name)) throw new Refused(400, `${field} does not know ${name}`)
  const listOf = (name: string): unknown[] => {
    const list: unknown = value[name] ?? []
    if (!Array.isArray(list)) throw new Refused(400, `${field}.${name} is no list`)
    return list
  }
  const objectsOf = (name: string): Payload[] => {
    const list = listOf(name)
    if (!list.every(isObject)) throw new Refused(400, `${field}.${name} is no list of objects`)
    return list
  }
  return { basic: null, create: objectsOf('create'), update: objectsOf('update'), remove: listOf('delete') }
}

function toMany(run: Run, parent: Row, relation: ToMany, value: unknown): void {
  const table = target(run, relation.child)
  const entries = entriesOf(value, relation.field)
  const forced = new Map(
    relation.childColumns.map((name, index) => [name, valueOf(parent, relation.columns[index] ?? name)] as const),
  )
  const change = (payload: Payload, key: readonly string[]): Row => {
    const row = existing(run, table, key)
    if (row === undefined) return createWithKey(run, table, payload, key, forced)
    update(run, table, row, payload, forced)
    return row
  }
  const kept = (entries.basic ?? []).map((entry) => {
    if (!isObject(entry)) return change({}, keyParts(entry, table))
    const key = keyIn(entry, table)
    return key === null ? create(run, table, entry, forced) : change(entry, key)
  })
  const { sortField } = relation
  const isOrdered = (entry: Payload) => sortField !== null && entry[sortField] === undefined
  const order = entries.create.some(isOrdered) ? continuedOrder(run, parent, relation) : null
  for (const [index, entry] of entries.create.entries()) {
    const position = order?.isComplete === true ? String(order.largest + 1 + index) : null
    create(run, table, entry, forced, new Map(sortField !== null && isOrdered(entry) ? [[sortField, position]] : []))
  }
  for (const entry of entries.update) {
    const key = keyIn(entry, table)
    if (key === null) throw new Refused(400, `${relation.field}.update needs keys`)
    change(entry, key)
  }
  const named = entries.remove.map((key) => linked(run, table, key).id)
  run.removals.push({
    table: table.name,
    columns: relation.childColumns,
    parent,
    parentColumns: relation.columns,
    action: relation.action,
    which:
      entries.basic === null
        ? { kind: 'named', ids: new Set(named) }
        : { kind: 'others', ids: new Set(kept.map(({ id }) => id)) },
  })
}

/** Many-to-many through a pure junction: entries are far items, links are junction rows. */
function through(run: Run, parent: Row, relation: Through, value: unknown): void {
  const far = target(run, relation.target)
  const junction = target(run, relation.junction)
  const entries = entriesOf(value, relation.field)
  const items = [
    ...(entries.basic ?? []).map((entry) => (isObject(entry) ? nested(run, far, entry) : linked(run, far, entry))),
    ...entries.create.map((entry) => create(run, far, entry)),
    ...entries.update.map((entry) => {
      if (keyIn(entry, far) === null) throw new Refused(400, `${relation.field}.update needs keys`)
      return nested(run, far, entry)
    }),
  ]
  run.joined.add(junction.name)
  const linkOf = (item: Row): readonly [string[], Value[]] => [
    [...relation.nearColumns, ...relation.farColumns],
    [...valuesOf(parent, relation.columns), ...valuesOf(item, relation.targetColumns)],
  ]
  const kept = items.map((item) => {
    run.linked.add(item.id)
    const [columns, values] = linkOf(item)
    const link = findRow(run.after, junction.name, columns, values)
    if (link !== undefined && !run.created.has(link.id)) run.linked.add(link.id)
    const presets = run.guard.create(run, junction, {}, columns)
    if (link !== undefined) return link
    const given = new Map(columns.map((name, index) => [name, values[index] ?? null]))
    return addRow(
      run,
      junction,
      new Map([...ownValues(run, junction, presets, new Set(columns), null).values, ...given]),
    )
  })
  const named = entries.remove.flatMap((key) => {
    const [columns, values] = linkOf(linked(run, far, key))
    return findRow(run.after, junction.name, columns, values)?.id ?? []
  })
  run.removals.push({
    table: junction.name,
    columns: relation.nearColumns,
    parent,
    parentColumns: relation.columns,
    action: 'delete',
    which:
      entries.basic === null
        ? { kind: 'named', ids: new Set(named) }
        : { kind: 'others', ids: new Set(kept.map(({ id }) => id)) },
  })
}
