import { bindFilter } from '../query/bind-filter.ts'
import { parseFilter } from '../query/parse-filter.ts'
import { everything, type Visibility } from '../query/resolve.ts'
import { ruleConstants } from '../query/values.ts'
import type { PruneReferences, Gone, MetadataChange, StoredValue } from '../schema/change.ts'
import type { Collection, Schema } from '../schema/schema.ts'
import { isBody } from './metadata.ts'

const LIMITS = { depth: 50, jsonDepth: 50, listLength: Number.MAX_SAFE_INTEGER }

/** Whether a rule is valid under this visibility. */
function isUsable(rule: unknown, collection: Collection, schema: Schema, visibility: Visibility): boolean {
  try {
    const parsed = parseFilter(rule, ruleConstants, LIMITS)
    if (parsed !== null) bindFilter(parsed, collection, { schema, visibility, at: 'root', limitDefault: 0 })
    return true
  } catch {
    return false
  }
}

const visibilityWithout = ({ fields, collections }: Gone): Visibility => ({
  collection: ({ name }) => !collections.includes(name),
  field: (field, { name }) => !fields.some((gone) => gone.collection === name && gone.field === field),
})

/**
 * A rule that names a removed field or collection matches no row. It must stay so if a new object takes the name, so a
 * condition that is never true is added. The original rule stays readable.
 */
function closed(rule: unknown, collection: Collection, gone: Gone): unknown {
  const left = (name: string) => visibilityWithout(gone).field(name, collection)
  const column = [...collection.key, ...collection.columns.values()].find(({ name }) => left(name))
  return column === undefined ? { _and: [{ '': { _in: [] } }, rule] } : { _and: [{ [column.name]: { _in: [] } }, rule] }
}

function permissionChange(row: Readonly<Record<string, unknown>>, gone: Gone, schema: Schema): MetadataChange[] {
  const { id, collection: name, fields, presets, permissions: rule } = row
  if (typeof name !== 'string') return []
  if (gone.collections.includes(name)) return [{ kind: 'remove', table: 'service_permissions', keys: [idOf(id)] }]
  const isGone = (field: string) => gone.fields.some((ref) => ref.collection === name && ref.field === field)
  const values: StoredValue[] = []
  if (Array.isArray(fields) && fields.some((field) => typeof field === 'string' && isGone(field)))
    values.push(
      json(
        'fields',
        fields.filter((field) => typeof field !== 'string' || !isGone(field)),
      ),
    )
  if (isBody(presets) && Object.keys(presets).some(isGone))
    values.push(json('presets', Object.fromEntries(Object.entries(presets).filter(([field]) => !isGone(field)))))
  const collection = schema.collections.get(name)
  const namesGone =
    collection !== undefined &&
    rule !== null &&
    isUsable(rule, collection, schema, everything) &&
    !isUsable(rule, collection, schema, visibilityWithout(gone))
  if (namesGone) values.push(json('permissions', closed(rule, collection, gone)))
  return values.length === 0 ? [] : [update('service_permissions', id, values)]
}

/** Bookmarks list the fields to show and to sort by, per layout. */
function presetChange(row: Readonly<Record<string, unknown>>, gone: Gone): MetadataChange[] {
  const { id, collection, layout_query: query } = row
  if (!isBody(query)) return []
  const isGone = (path: unknown) =>
    typeof path === 'string' &&
    gone.fields.some((ref) => ref.collection === collection && ref.field === path.replace(/^-/u, '').split('.', 1)[0])
  const without = (list: unknown) => (Array.isArray(list) ? list.filter((path) => !isGone(path)) : list)
  const left = Object.fromEntries(
    Object.entries(query).map(([layout, choice]) => [
      layout,
      isBody(choice)
        ? Object.fromEntries(
            Object.entries(choice).map(([key, list]) => [
              key,
              key === 'fields' || key === 'sort' ? without(list) : list,
            ]),
          )
        : choice,
    ]),
  )
  return JSON.stringify(left) === JSON.stringify(query)
    ? []
    : [update('service_presets', id, [json('layout_query', left)])]
}

const idOf = (id: unknown): StoredValue => ({ column: 'id', kind: 'integer', value: String(id) })

const json = (column: string, value: unknown): StoredValue => ({ column, kind: 'json', value: JSON.stringify(value) })

const update = (
  table: 'service_permissions' | 'service_presets',
  id: unknown,
  values: StoredValue[],
): MetadataChange => ({
  kind: 'update',
  table,
  keys: [idOf(id)],
  values,
})

/**
 * Removes references to removed fields and collections from permissions and bookmarks. No permission grants more than
 * before.
 */
export const pruneReferences: PruneReferences = (gone, { permissions, presets }, schema) => [
  ...permissions.flatMap((row) => permissionChange(row, gone, schema)),
  ...presets.flatMap((row) => presetChange(row, gone)),
]
