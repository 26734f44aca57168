import type { Filter } from '../reads/ast.ts'
import { type Column, type Row, type Table } from '../database/model.ts'
import type { Request } from '../../lib/server.ts'
import type { Rng } from '../rng.ts'
import { randomCell } from '../database/rows.ts'
import { type GraphNames } from '../graphql-names.ts'
import { toJson } from '../database/values.ts'
import { keyText } from '../reads/random-read.ts'
import type { View } from '../rights/view.ts'

/** Rows of one collection that are all deleted or all updated with the same values. */
export interface TwinWrite {
  readonly table: Table
  readonly rows: readonly Row[]
  /** Sent as a list of keys. */
  readonly isList: boolean
  /** Null deletes the rows. */
  readonly data: Readonly<Record<string, unknown>> | null
}

/**
 * A write that cannot change the result of a rule: it avoids fields that rules read and rows that others may reference.
 * On deletion the database reveals whether a hidden row references the row, whatever the permissions are.
 */
export function randomTwinWrite(rng: Rng, view: View): TwinWrite | null {
  const { model } = view
  const tables = [...model.tables.values()].filter(
    ({ collection, key }) => key.length > 0 && model.rows.get(collection)!.length > 0,
  )
  if (tables.length === 0) return null
  const table = rng.pick(tables)
  const rows = model.rows.get(table.collection)!
  const watched = watchedFields(view)
  const isReferred = [...model.tables.values()].some(({ foreignKeys }) =>
    foreignKeys.some(({ target }) => target === table.collection),
  )
  const kind = rng.pick(['PATCH', 'PATCH', 'DELETE', 'keys'] as const)
  if (kind === 'DELETE')
    return isReferred || watched.has('*') ? null : { table, rows: [rng.pick(rows)], isList: false, data: null }
  const data = randomBody(rng, view, table, watched)
  if (kind === 'PATCH') return { table, rows: [rng.pick(rows)], isList: false, data }
  return table.key.length > 1 ? null : { table, rows: rng.sample(rows, 1, 2), isList: true, data }
}

export function restWrite({ model }: View, { table, rows, isList, data }: TwinWrite): Request {
  const path = `/items/${encodeURIComponent(table.collection)}`
  const [row] = rows
  if (isList) {
    const type = table.columns.find(({ name }) => name === table.key[0])!.type
    const keys = rows.map((each) => toJson(type, each.get(table.key[0]!)!))
    return { method: 'PATCH', path, body: { keys, data } }
  }
  const address = `${path}/${keyText(model, table.collection, row!).map(encodeURIComponent).join(',')}`
  return data === null ? { method: 'DELETE', path: address } : { method: 'PATCH', path: address, body: data }
}

/** Returns null if one of the names does not exist in GraphQL. */
export function graphWrite(view: View, write: TwinWrite, names: GraphNames): Request | null {
  const { table, rows, isList, data } = write
  const { collection } = table
  const type = names.type(collection)
  const ids = rows.map((row) => idOf(keyText(view.model, collection, row)))
  const target = isList ? ['$ids: [ID]!', 'ids: $ids'] : ['$id: ID!', 'id: $id']
  const key = isList ? { ids } : { id: ids[0] }
  if (data === null) return mutation(`(${target[0]}) { root: delete_${type}_item(${target[1]}) { id } }`, key)
  const nameOf = (name: string) => names.field(collection, name, isLink(view, collection, name) ? '_key' : '')
  const payload = Object.entries(data).map(([name, value]) => [nameOf(name), value] as const)
  const shown = table.columns.flatMap(({ name }) => (view.has(collection, name) ? [nameOf(name)] : []))
  if ([...payload.map(([name]) => name), ...shown].includes(null)) return null
  const field = `update_${type}_item${isList ? 's' : ''}`
  const answer = view.isReadable(collection) ? `{ ${shown.length === 0 ? '__typename' : shown.join(' ')} }` : ''
  return mutation(
    `(${target[0]}, $data: update_${type}_input!) { root: ${field}(${target[1]}, data: $data) ${answer} }`,
    { ...key, data: Object.fromEntries(payload) },
  )
}

const mutation = (rest: string, variables: Readonly<Record<string, unknown>>): Request => ({
  method: 'POST',
  path: '/graphql',
  body: { query: `mutation M${rest}`, variables },
})

const idOf = (key: readonly string[]): string =>
  key.length === 1 ? (key[0] ?? '') : key.map(encodeURIComponent).join(',')

function isLink({ model }: View, collection: string, name: string): boolean {
  const relation = model.relations.get(collection)?.get(name)
  return (relation?.kind === 'one' && relation.isColumn) || model.anys?.get(collection)?.field === name
}

function randomBody(rng: Rng, { model }: View, table: Table, watched: ReadonlySet<string>): Record<string, unknown> {
  const { collection, columns, key, uniques, foreignKeys } = table
  const isFree = ({ name }: Column): boolean =>
    !key.includes(name) &&
    !uniques.includes(name) &&
    !watched.has(`${collection}.${name}`) &&
    foreignKeys.every((foreignKey) => foreignKey.columns.length === 1 || !foreignKey.columns.includes(name))
  const chosen = rng.sample(columns.filter(isFree), 0, 2).flatMap((column): [string, unknown][] => {
    const foreignKey = foreignKeys.find((candidate) => candidate.columns[0] === column.name)
    if (foreignKey === undefined) return [[column.name, toJson(column.type, randomCell(rng, column))]]
    const targets = model.rows.get(foreignKey.target)!.flatMap((row) => row.get(foreignKey.targetColumns[0]!) ?? [])
    return targets.length === 0 ? [] : [[column.name, toJson(column.type, rng.pick(targets))]]
  })
  return Object.fromEntries(chosen)
}

/** Fields that a rule of the caller reads, including all foreign keys that it follows. */
function watchedFields({ model, effective }: View): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (collection: string, filter: Filter): void => {
    if (filter.kind === 'and' || filter.kind === 'or') for (const item of filter.items) visit(collection, item)
    if (filter.kind === 'test') watch(collection, filter.subject.name)
    if (!('field' in filter)) return
    watch(collection, filter.field)
    const relation = model.relations.get(collection)?.get(filter.field)
    if ('filter' in filter && relation !== undefined) visit(relation.target, filter.filter)
  }
  const watch = (collection: string, name: string): void => {
    found.add(`${collection}.${name}`)
    const relation = model.relations.get(collection)?.get(name)
    if (relation === undefined) return
    // Added or deleted rows change the result of a rule over a relation.
    found.add('*')
    for (const column of relation.link.near) found.add(`${collection}.${column}`)
    if (relation.kind !== 'through') for (const column of relation.link.far) found.add(`${relation.target}.${column}`)
  }
  for (const { collection, rule } of effective.policies.flatMap(({ permissions }) => permissions))
    if (rule?.kind === 'filter') visit(collection, rule.filter)
  return found
}
