import type { Dialect } from '../database/model.ts'

/** The database of a run as plain values. Nothing here is shared with the server. */
export type ColumnType = 'integer' | 'bigint' | 'text' | 'varchar' | 'boolean' | 'numeric' | 'date' | 'uuid'

/** The maximum length of a varchar column. */
export const VARCHAR = 10

export interface Column {
  readonly name: string
  readonly type: ColumnType
  readonly nullable: boolean
  /** `counter` and `uuid`: the database generates an unpredictable value. */
  readonly fill: 'none' | 'counter' | 'uuid' | { readonly value: string }
  /** The minimum that a check constraint allows. */
  readonly min: number | null
}

export type OnDelete = 'cascade' | 'set null' | 'restrict' | 'no action'

export interface ForeignKey {
  readonly columns: readonly string[]
  readonly target: string
  readonly targetColumns: readonly string[]
  readonly onDelete: OnDelete
  /** Declared in the metadata; null leaves the reverse field to inference. */
  readonly declared: Declared | null
}

/** The reverse field of a foreign key, as an administrator declares it. */
export interface Declared {
  readonly field: string
  readonly special: 'o2m' | 'm2m' | 'm2a'
  readonly deselect: 'delete' | 'nullify'
  readonly sortField: string | null
  /** The junction column that leads to the far side. */
  readonly junctionField: string | null
}

/** A column that stores keys of several tables, and the column that names the table. */
export interface AnyLink {
  readonly column: string
  readonly collectionColumn: string
  readonly allowed: readonly string[]
  readonly junctionField: string
}

export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly key: readonly string[]
  /** Besides the key. */
  readonly uniques: readonly (readonly string[])[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly any: AnyLink | null
}

export type Relation =
  | {
      readonly kind: 'one'
      readonly field: string
      readonly columns: readonly string[]
      readonly target: string
      readonly targetColumns: readonly string[]
    }
  | {
      readonly kind: 'many'
      readonly field: string
      readonly child: string
      readonly childColumns: readonly string[]
      readonly columns: readonly string[]
      readonly action: 'delete' | 'nullify'
      readonly sortField: string | null
    }
  | {
      readonly kind: 'through'
      readonly field: string
      readonly target: string
      readonly junction: string
      readonly columns: readonly string[]
      readonly nearColumns: readonly string[]
      readonly farColumns: readonly string[]
      readonly targetColumns: readonly string[]
    }
  | { readonly kind: 'any'; readonly field: string; readonly link: AnyLink }

export type ToMany = Extract<Relation, { kind: 'many' }>
export type ToOne = Extract<Relation, { kind: 'one' }>
export type Through = Extract<Relation, { kind: 'through' }>

export interface Schema {
  readonly dialect: Dialect
  readonly tables: ReadonlyMap<string, Table>
  /** By table and field. */
  readonly relations: ReadonlyMap<string, ReadonlyMap<string, Relation>>
}

export function tableOf(schema: Schema, name: string): Table {
  const table = schema.tables.get(name)
  if (table === undefined) throw new Error(`no table ${name}`)
  return table
}

export const relationsOf = (schema: Schema, table: string): ReadonlyMap<string, Relation> =>
  schema.relations.get(table) ?? new Map<string, Relation>()

export const columnOf = (table: Table, name: string): Column | undefined =>
  table.columns.find((column) => column.name === name)

/** Whether only the caller can set the key of a new row. */
export function callerMakesKey(table: Table): boolean {
  return table.key.some((name) => columnOf(table, name)?.fill === 'none' && !isForeign(table, name))
}

export const isForeign = (table: Table, column: string): boolean =>
  table.foreignKeys.some(({ columns }) => columns.length === 1 && columns[0] === column)

export function createSchema(dialect: Dialect, tables: readonly Table[]): Schema {
  const relations = new Map(tables.map((table) => [table.name, new Map<string, Relation>()]))
  const fieldsOf = (name: string): Map<string, Relation> => relations.get(name) ?? new Map<string, Relation>()
  const wanted = plainNames(tables)
  for (const table of tables) addToOne(table, wanted, fieldsOf(table.name))
  for (const table of tables) for (const parent of tables) addToMany(table, parent, wanted, fieldsOf(parent.name))
  for (const table of tables) addThrough(table, wanted, fieldsOf)
  return { dialect, tables: new Map(tables.map((table) => [table.name, table])), relations }
}

/** Whether a field may have its plain name: no other field claims it, and no column has it. */
type IsPlain = (table: string, name: string) => boolean

/** Names are assigned at the first start, before any declaration. A field gets the plain name if no other claims it. */
function plainNames(tables: readonly Table[]): IsPlain {
  const wants = tables.flatMap((table): (readonly [string, string])[] => {
    const keys = junctionKeys(table)
    const targets = table.foreignKeys.map(({ target }) => target)
    return [
      ...table.foreignKeys.flatMap(({ columns, target }) =>
        columns.length > 1 ? [[table.name, target] as const] : [],
      ),
      ...targets.flatMap((target) =>
        targets.filter((other) => other === target).length === 1 ? [[target, table.name] as const] : [],
      ),
      ...(keys === null || keys[0].target === keys[1].target
        ? []
        : ([
            [keys[0].target, keys[1].target],
            [keys[1].target, keys[0].target],
          ] as const)),
    ]
  })
  return (table, name) =>
    wants.filter(([owner, wanted]) => owner === table && wanted === name).length === 1 &&
    tables.every((each) => each.name !== table || each.columns.every((column) => column.name !== name))
}

function addToOne(table: Table, isPlain: IsPlain, fields: Map<string, Relation>): void {
  for (const { columns, target, targetColumns } of table.foreignKeys) {
    const composite = isPlain(table.name, target) ? target : `${target}_by_${columns.join('_')}`
    const field = columns.length === 1 ? (columns[0] ?? '') : composite
    fields.set(field, { kind: 'one', field, columns, target, targetColumns })
  }
  if (table.any !== null) fields.set(table.any.column, { kind: 'any', field: table.any.column, link: table.any })
}

function addToMany(child: Table, parent: Table, isPlain: IsPlain, fields: Map<string, Relation>): void {
  const keys = child.foreignKeys.filter(({ target }) => target === parent.name)
  for (const { columns, targetColumns, declared } of keys) {
    const plain = isPlain(parent.name, child.name) ? child.name : `${child.name}_by_${columns.join('_')}`
    const field = declared?.field ?? plain
    const isKeyPart = columns.every((column) => child.key.includes(column))
    fields.set(field, {
      kind: 'many',
      field,
      child: child.name,
      childColumns: columns,
      columns: targetColumns,
      action: declared?.deselect === 'delete' || isKeyPart ? 'delete' : 'nullify',
      sortField: declared?.sortField ?? null,
    })
  }
}

/** The two foreign keys of a pure junction: its key is exactly their columns. */
function junctionKeys({ key, foreignKeys }: Table): readonly [ForeignKey, ForeignKey] | null {
  const inside = foreignKeys.filter(({ columns }) => columns.every((column) => key.includes(column)))
  const [first, second] = inside
  if (first === undefined || second === undefined || inside.length !== 2) return null
  return first.columns.length + second.columns.length === key.length ? [first, second] : null
}

function addThrough(junction: Table, isPlain: IsPlain, fieldsOf: (name: string) => Map<string, Relation>) {
  const keys = junctionKeys(junction)
  if (keys === null || keys.some(({ declared }) => declared !== null)) return
  for (const [near, far] of [keys, [keys[1], keys[0]] as const]) {
    const fields = fieldsOf(near.target)
    const via = `${far.target}_via_${junction.name}`
    const direction = far.columns.join('_')
    const [plain, qualified] =
      near.target === far.target ? [`${junction.name}_${direction}`, `${via}_${direction}`] : [far.target, via]
    const field = plain !== far.target || isPlain(near.target, plain) ? plain : qualified
    fields.set(field, {
      kind: 'through',
      field,
      target: far.target,
      junction: junction.name,
      columns: near.targetColumns,
      nearColumns: near.columns,
      farColumns: far.columns,
      targetColumns: far.targetColumns,
    })
  }
}
