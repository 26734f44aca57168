import type { Rng } from '../rng.ts'
import type { WriteRequest } from './predict.ts'
import {
  changes,
  keyAsText,
  keyObject,
  type Making,
  missingKey,
  missingPlainKey,
  newItem,
  pickRow,
  plainKey,
} from './payload.ts'
import { columnOf, type Schema, type Table } from './schema.ts'
import { isMade, type Row, rowsOf, type State, valueOf } from './state.ts'
import { toJson } from './values.ts'

const WRONG_SHARE = 0.3
const WRONG = 0.12

/** A random write on the current rows. */
export function randomRequest(rng: Rng, schema: Schema, state: State, fresh: () => number): WriteRequest {
  const table = rng.pick([...schema.tables.values()])
  const wrong = rng.chance(WRONG_SHARE) ? WRONG : 0
  const making: Making = { rng, schema, state, wrong, named: new Set(), fresh }
  const make = rng.weighted<(making: Making, table: Table) => Partial<WriteRequest>>([
    [6, createOne],
    [3, createMany],
    [9, updateOne],
    [3, updateKeys],
    [2, updateQuery],
    [4, updateEach],
    [2, deleteOne],
    [1, deleteKeys],
    [1, deleteQuery],
    [2, putOne],
    [2, putMany],
    [2, putByField],
  ])
  return { method: 'POST', key: null, onConflict: null, body: undefined, table: table.name, ...make(making, table) }
}

type Part = Partial<WriteRequest>

const some = <T>(rng: Rng, make: () => T): T[] => Array.from({ length: rng.int(1, 3) }, make)

const createOne = (making: Making, table: Table): Part => ({ method: 'POST', body: newItem(making, table, 1) })

const createMany = (making: Making, table: Table): Part => ({
  method: 'POST',
  body: some(making.rng, () => newItem(making, table, making.rng.int(1, 2))),
})

/** Null if the URL must match no row. */
const rowOrNone = (making: Making, table: Table): Row | null =>
  making.rng.chance(making.wrong) ? null : pickRow(making, table)

const addressOf = (making: Making, table: Table, row: Row | null): string =>
  row === null
    ? Object.values(missingKey(making, table))
        .map((part) => encodeURIComponent(String(part)))
        .join(',')
    : keyAsText(table, row)

function updateOne(making: Making, table: Table): Part {
  const row = rowOrNone(making, table)
  return { method: 'PATCH', key: addressOf(making, table, row), body: changes(making, table, row, 1) }
}

function keyList(making: Making, table: Table): unknown[] {
  return some(making.rng, () => {
    const row = rowOrNone(making, table)
    if (row === null) return missingPlainKey(making, table)
    return table.key.length > 1 && making.rng.chance(0.5) ? keyObject(table, row) : plainKey(making, table, row)
  })
}

const updateKeys = (making: Making, table: Table): Part => ({
  method: 'PATCH',
  body: { keys: keyList(making, table), data: changes(making, table, null, making.rng.int(1, 2)) },
})

function randomQuery({ rng, state }: Making, table: Table): Record<string, unknown> {
  const column = rng.pick(table.columns)
  const values = rowsOf(state, table.name).flatMap((row) => {
    const value = valueOf(row, column.name)
    // Filters do not accept an empty string, and interpret the word null differently.
    return value === null || isMade(value) || value === '' || value === 'null' ? [] : [toJson(column, value)]
  })
  const filter =
    values.length === 0 || rng.chance(0.2)
      ? { [column.name]: { _null: true } }
      : {
          [column.name]:
            column.type === 'boolean' || rng.chance(0.5)
              ? { _eq: rng.pick(values) }
              : { _in: rng.sample(values, 1, 3) },
        }
  const key = columnOf(table, table.key[0] ?? '')
  const canLimit = table.key.length === 1 && key?.type !== 'uuid'
  return canLimit && rng.chance(0.3) ? { filter, sort: table.key, limit: rng.int(1, 3) } : { filter }
}

/** What chooses the rows of a write: mostly a condition, sometimes none, an incomplete one or `all`. */
function randomChoice(making: Making, table: Table): Record<string, unknown> {
  const { rng } = making
  const query = randomQuery(making, table)
  if (rng.chance(0.7)) return { query }
  const { filter, ...shape } = query
  const bare = { [rng.pick(table.columns).name]: {} }
  const none = rng.pick([[], [{}], [{ filter: {} }], [{ filter: { _and: [{}] } }], [{ filter: { _or: [filter, {}] } }]])
  const [first] = none
  if (rng.chance(0.4)) return { all: true, ...(first === undefined ? {} : { query: { ...shape, ...first } }) }
  if (rng.chance(0.4)) return { query: { ...shape, ...first } }
  const others = [bare, { _and: [filter, bare] }, { _or: [filter, bare] }, { _or: [] }, { _or: [filter, { _or: [] }] }]
  const all = rng.chance(0.1) ? { all: rng.pick([true, false]) } : {}
  return { ...all, query: { ...shape, filter: rng.pick([...others, { _and: [{}, filter] }]) } }
}

const updateQuery = (making: Making, table: Table): Part => ({
  method: 'PATCH',
  body: { ...randomChoice(making, table), data: changes(making, table, null, 2) },
})

function keyedChange(making: Making, table: Table): Record<string, unknown> {
  const row = rowOrNone(making, table)
  if (making.rng.chance(making.wrong / 3)) return changes(making, table, row, 1)
  const key = row === null ? missingKey(making, table) : keyObject(table, row)
  return { ...changes(making, table, row, making.rng.int(1, 2)), ...key }
}

function updateEach(making: Making, table: Table): Part {
  const body = some(making.rng, () => keyedChange(making, table))
  const [first] = body
  const again =
    first === undefined || !making.rng.chance(0.1)
      ? []
      : [{ ...changes(making, table, null, 3), ...keyPartOf(table, first) }]
  return { method: 'PATCH', body: [...body, ...again] }
}

const keyPartOf = (table: Table, item: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(table.key.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])))

const deleteOne = (making: Making, table: Table): Part => ({
  method: 'DELETE',
  key: addressOf(making, table, rowOrNone(making, table)),
})

function deleteKeys(making: Making, table: Table): Part {
  const keys = keyList(making, table)
  return { method: 'DELETE', body: making.rng.chance(0.5) ? keys : { keys } }
}

const deleteQuery = (making: Making, table: Table): Part => ({
  method: 'DELETE',
  body: randomChoice(making, table),
})

function putOne(making: Making, table: Table): Part {
  const row = making.rng.chance(0.5) ? pickRow(making, table) : null
  if (row !== null) return { method: 'PUT', key: keyAsText(table, row), body: changes(making, table, row, 1) }
  const item = newItem(making, table, 1)
  const key = { ...missingKey(making, table), ...presentKey(table, item) }
  const rest = Object.fromEntries(Object.entries(item).filter(([name]) => !table.key.includes(name)))
  return {
    method: 'PUT',
    key: Object.values(key)
      .map((part) => encodeURIComponent(String(part)))
      .join(','),
    body: rest,
  }
}

/** The key parts that a new item contains as plain values, in key order. */
const presentKey = (table: Table, item: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    table.key.flatMap((name) => {
      const value = item[name]
      return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : []
    }),
  )

function putMany(making: Making, table: Table): Part {
  const body = some(making.rng, () =>
    making.rng.chance(0.5) ? keyedChange(making, table) : newItem(making, table, making.rng.int(1, 2)),
  )
  return { method: 'PUT', body: body.length === 1 && making.rng.chance(0.5) ? body[0] : body }
}

function putByField(making: Making, table: Table): Part {
  const { rng, wrong } = making
  const fields = [table.key, ...table.uniques].flatMap((columns) => (columns.length === 1 ? columns : []))
  const field = rng.chance(wrong / 2) || fields.length === 0 ? 'label' : rng.pick(fields)
  const column = columnOf(table, field)
  const body = some(rng, () => {
    const row = rng.chance(0.6) ? pickRow(making, table) : null
    const value = row === null ? null : valueOf(row, field)
    if (row === null || column === undefined || value === null || isMade(value)) return newItem(making, table, 1)
    return { ...changes(making, table, row, rng.int(1, 2)), [field]: toJson(column, value) }
  })
  return { method: 'PUT', onConflict: field, body }
}
