import type { ForeignKey, Link, Relation, Table } from './model.ts'

interface Incoming {
  readonly child: Table
  readonly key: ForeignKey
}

/** The relations that follow from foreign keys alone, by collection and field name. */
export function inferRelations(tables: readonly Table[]): Map<string, Map<string, Relation>> {
  const found = new Map(tables.map((table) => [table.collection, new Map<string, Relation>()]))
  for (const table of tables) addToOne(table, found.get(table.collection)!)
  for (const table of tables) addToMany(table, tables, found.get(table.collection)!)
  for (const junction of tables) addThrough(junction, tables, found)
  return found
}

/** Dots would read as a path. */
export function flatName(collection: string): string {
  return collection.replaceAll('.', '_')
}

function isTaken(table: Table, fields: ReadonlyMap<string, Relation>, name: string): boolean {
  return fields.has(name) || table.columns.some((column) => column.name === name)
}

function addToOne(table: Table, fields: Map<string, Relation>): void {
  for (const key of table.foreignKeys) {
    const link: Link = { near: key.columns, far: key.targetColumns }
    const isColumn = key.columns.length === 1
    const field = isColumn ? key.columns[0]! : compositeName(table, fields, key)
    fields.set(field, { kind: 'one', field, target: key.target, link, isColumn })
  }
}

function compositeName(table: Table, fields: ReadonlyMap<string, Relation>, key: ForeignKey): string {
  const plain = flatName(key.target)
  return isTaken(table, fields, plain) ? `${plain}_by_${flatName(key.columns.join('_'))}` : plain
}

function addToMany(table: Table, tables: readonly Table[], fields: Map<string, Relation>): void {
  for (const child of tables) {
    const keys = child.foreignKeys.filter((key) => key.target === table.collection)
    for (const key of keys) {
      const plain = flatName(child.collection)
      const field = keys.length === 1 ? plain : `${plain}_by_${flatName(key.columns.join('_'))}`
      if (isTaken(table, fields, field)) continue
      const link: Link = { near: key.targetColumns, far: key.columns }
      fields.set(field, { kind: 'many', field, target: child.collection, link })
    }
  }
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

function addThrough(junction: Table, tables: readonly Table[], found: Map<string, Map<string, Relation>>): void {
  const keys = junctionKeys(junction)
  if (keys === null) return
  for (const [near, far] of [keys, [keys[1], keys[0]] as const]) {
    const table = tables.find((candidate) => candidate.collection === near.target)!
    const fields = found.get(near.target)!
    const plain = flatName(far.target)
    const field = isTaken(table, fields, plain) ? `${plain}_via_${flatName(junction.collection)}` : plain
    if (isTaken(table, fields, field)) continue
    fields.set(field, through(field, junction, { child: junction, key: near }, far))
  }
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
