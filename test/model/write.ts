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
import { findRow, type Row, rowsOf, type State, type Value, valueOf, valuesOf, areSame, keyOf } from './state.ts'
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
import { Refused, stored } from './values.ts'

/** Own columns of a payload, with what its to-one relations lead to written first. */
interface Own {
  readonly values: Map<string, Value>
  /** Columns given as plain values. */
  readonly plain: Set<string>
}

type AnyRelation = Extract<Relation, { kind: 'any' }>

export function create(run: Run, table: Table, payload: Payload, forced: ReadonlyMap<string, Value> = new Map()): Row {
  const own = ownValues(run, table, payload, new Set(forced.keys()), null)
  const row = addRow(run, table, new Map([...own.values, ...forced]))
  run.direct.add(table.name)
  for (const name of own.plain) run.scalars.add(cellId(row, name))
  children(run, table, row, payload, new Set(forced.keys()))
  return row
}

export function update(
  run: Run,
  table: Table,
  row: Row,
  payload: Payload,
  forced: ReadonlyMap<string, Value> = new Map(),
): void {
  const skipped = new Set([...table.key, ...forced.keys()])
  assign(run, table, row, ownValues(run, table, payload, skipped, row), forced)
  children(run, table, row, payload, skipped)
}

/** The same change for several rows: what they lead to is written once, what leads to them once for each. */
export function updateAll(run: Run, table: Table, rows: readonly Row[], payload: Payload): void {
  const skipped = new Set(table.key)
  // The rows may be of different collections: the contract does not say whether they share a new item.
  if (table.any !== null && isObject(payload[table.any.column]) && rows.length > 1)
    if (typeof payload[table.any.collectionColumn] !== 'string') run.open.add('items of several entries at once')
  const own = ownValues(run, table, payload, skipped, rows[0] ?? null)
  for (const [index, row] of rows.entries()) {
    run.item = index
    assign(run, table, row, own, new Map())
  }
  for (const [index, row] of rows.entries()) {
    run.item = index
    children(run, table, row, payload, skipped)
  }
}

function assign(run: Run, table: Table, row: Row, { values, plain }: Own, forced: ReadonlyMap<string, Value>): void {
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
      own.values.set(name, given(column, value, table))
      own.plain.add(name)
    }
  }
  return own
}

function given(column: NonNullable<ReturnType<typeof columnOf>>, value: unknown, table: Table): Value {
  const text = stored(column, value)
  if (text === null && !column.nullable) throw new Refused(400, `${table.name}.${column.name} may not be null`)
  return text
}

function toOne(run: Run, relation: ToOne, value: unknown, { values }: Own): void {
  if (value === null) {
    for (const name of relation.columns) values.set(name, null)
    return
  }
  const table = target(run, relation.target)
  const row = isObject(value) ? nested(run, table, value) : mustExist(run, table, keyParts(value, table))
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

/** An object at a relation: without key it is new, with a key it is changed. */
function nested(run: Run, table: Table, payload: Payload): Row {
  const key = keyIn(payload, table)
  if (key === null) return create(run, table, payload)
  const row = existing(run, table, key)
  if (row === undefined) return createWithKey(run, table, payload, key)
  update(run, table, row, payload)
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
  /** In the order they were sent; null stands for a list that is not basic. */
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
  const largest = largestOrder(run.before, parent, relation)
  const isShifting = largestOrder(run.after, parent, relation) !== largest
  for (const [index, entry] of entries.create.entries()) {
    const isOrdered = sortField !== null && entry[sortField] === undefined
    if (isOrdered && isShifting) run.open.add(SHIFTING)
    if (isOrdered) run.orders.push({ parent, relation, largest })
    const order = String(largest + 1 + index)
    create(run, table, entry, isOrdered ? new Map([...forced, [sortField, order]]) : forced)
  }
  for (const entry of entries.update) {
    const key = keyIn(entry, table)
    if (key === null) throw new Refused(400, `${relation.field}.update needs keys`)
    change(entry, key)
  }
  const named = entries.remove.map((key) => mustExist(run, table, keyParts(key, table)).id)
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

const SHIFTING = 'the order is continued while it changes'

/** Whether children that were there have got other orders or parents in the same request. */
export function checkOrders(run: Run): void {
  for (const { parent, relation, largest } of run.orders) {
    const old = new Map(run.after)
    old.set(
      relation.child,
      rowsOf(run.after, relation.child).filter(({ id }) => !run.created.has(id)),
    )
    if (largestOrder(old, parent, relation) !== largest) run.open.add(SHIFTING)
  }
}

/** New children come after those that are there: the largest order of these. */
function largestOrder(state: State, parent: Row, { child, childColumns, columns, sortField }: ToMany): number {
  const siblings = rowsOf(state, child).filter((row) => areSame(valuesOf(row, childColumns), valuesOf(parent, columns)))
  const orders = siblings.flatMap((row) => {
    const order = sortField === null ? null : valueOf(row, sortField)
    return typeof order === 'string' ? [Number(order)] : []
  })
  return orders.length === 0 ? 0 : Math.max(...orders)
}

/** Many-to-many through a pure junction: entries are far items, links are junction rows. */
function through(run: Run, parent: Row, relation: Through, value: unknown): void {
  const far = target(run, relation.target)
  const junction = target(run, relation.junction)
  const entries = entriesOf(value, relation.field)
  const items = [
    ...(entries.basic ?? []).map((entry) =>
      isObject(entry) ? nested(run, far, entry) : mustExist(run, far, keyParts(entry, far)),
    ),
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
    return link ?? addRow(run, junction, new Map(columns.map((name, index) => [name, values[index] ?? null])))
  })
  const named = entries.remove.flatMap((key) => {
    const [columns, values] = linkOf(mustExist(run, far, keyParts(key, far)))
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
