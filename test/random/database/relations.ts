import type { ForeignKey, Link, Relation, Table } from './model.ts'

interface Incoming {
  readonly child: Table
  readonly key: ForeignKey
}

/** A field inferred from foreign keys, before it has a name. */
interface Unnamed {
  readonly collection: string
  readonly plain: string
  readonly qualified: string
  /** Several foreign keys of one table lead here, so the plain name would be ambiguous. */
  readonly needsMore: boolean
  readonly isFlattened: boolean
  readonly named: (field: string) => Relation
}

/** The relations inferred from foreign keys alone, by collection and field name, as on the first introspection. */
export function inferRelations(tables: readonly Table[]): Map<string, Map<string, Relation>> {
  const found = new Map(tables.map((table) => [table.collection, new Map<string, Relation>()]))
  for (const table of tables) addColumns(table, found.get(table.collection)!)
  const unnamed = [...tables.flatMap(compositeOf), ...listsOf(tables), ...tables.flatMap(throughOf)]
  for (const table of tables) {
    const own = unnamed.filter(({ collection }) => collection === table.collection)
    const isColumn = (name: string) => table.columns.some((column) => column.name === name)
    for (const field of own) {
      const name = isPlain(field, own) && !isColumn(field.plain) ? field.plain : field.qualified
      found.get(table.collection)!.set(name, field.named(name))
    }
  }
  return found
}

/**
 * A field gets the plain name if no other field claims it. A table that really has this name wins over flattened names.
 */
function isPlain(field: Unnamed, all: readonly Unnamed[]): boolean {
  if (field.needsMore) return false
  const rivals = all.filter((other) => !other.needsMore && other !== field && other.plain === field.plain)
  return rivals.every((rival) => rival.isFlattened && !field.isFlattened)
}

/** Dots would read as a path. */
export function flatName(collection: string): string {
  return collection.replaceAll('.', '_')
}

function addColumns(table: Table, fields: Map<string, Relation>): void {
  for (const { columns, target, targetColumns } of table.foreignKeys) {
    const [field] = columns
    if (columns.length > 1 || field === undefined) continue
    fields.set(field, { kind: 'one', field, target, link: { near: columns, far: targetColumns }, isColumn: true })
  }
}

const byColumns = (name: string, { columns }: ForeignKey) => `${name}_by_${flatName(columns.join('_'))}`

function compositeOf(table: Table): Unnamed[] {
  return table.foreignKeys
    .filter(({ columns }) => columns.length > 1)
    .map((key) => {
      const plain = flatName(key.target)
      const link: Link = { near: key.columns, far: key.targetColumns }
      return {
        collection: table.collection,
        plain,
        qualified: byColumns(plain, key),
        needsMore: false,
        isFlattened: plain !== key.target,
        named: (field) => ({ kind: 'one', field, target: key.target, link, isColumn: false }),
      }
    })
}

function listsOf(tables: readonly Table[]): Unnamed[] {
  return tables.flatMap((table) =>
    tables.flatMap((child) => {
      const keys = child.foreignKeys.filter((key) => key.target === table.collection)
      const plain = flatName(child.collection)
      return keys.map((key): Unnamed => ({
        collection: table.collection,
        plain,
        qualified: byColumns(plain, key),
        needsMore: keys.length > 1,
        isFlattened: plain !== child.collection,
        named: (field) => ({
          kind: 'many',
          field,
          target: child.collection,
          link: { near: key.targetColumns, far: key.columns },
        }),
      }))
    }),
  )
}

/** The two foreign keys of a pure junction: its key is exactly their columns. */
export function junctionKeys(table: Table): readonly [ForeignKey, ForeignKey] | null {
  if (table.key.length < 2) return null
  const inside = table.foreignKeys.filter((key) => key.columns.every((column) => table.key.includes(column)))
  const [first, second] = inside
  if (inside.length !== 2 || first === undefined || second === undefined) return null
  const columns = new Set([...first.columns, ...second.columns])
  const isExact = columns.size === table.key.length && first.columns.length + second.columns.length === columns.size
  return isExact ? [first, second] : null
}

function throughOf(junction: Table): Unnamed[] {
  const keys = junctionKeys(junction)
  if (keys === null) return []
  return [keys, [keys[1], keys[0]] as const].map(([near, far]) => {
    const isSelf = near.target === far.target
    const direction = flatName(far.columns.join('_'))
    const via = `${flatName(far.target)}_via_${flatName(junction.collection)}`
    return {
      collection: near.target,
      plain: isSelf ? `${flatName(junction.collection)}_${direction}` : flatName(far.target),
      qualified: isSelf ? `${via}_${direction}` : via,
      needsMore: false,
      isFlattened: flatName(far.target) !== far.target,
      named: (field) => through(field, junction, { child: junction, key: near }, far),
    }
  })
}

function through(field: string, junction: Table, near: Incoming, far: ForeignKey): Relation {
  return {
    kind: 'through',
    field,
    target: far.target,
    junction: junction.collection,
    link: { near: near.key.targetColumns, far: near.key.columns },
    onward: { near: far.columns, far: far.targetColumns },
  }
}
