import { collectionMeta, fieldMeta, relationMeta } from '@tain/contract'
import type { CollectionMeta, FieldMeta, MetaColumn, RelationMeta } from '@tain/contract'
import type { SystemCollection, SystemColumn, SystemDefault } from '@tain/contract/collections'
import type { DatabaseColumn, DatabaseForeignKey, DatabaseTable } from '../sql/database-schema.ts'
import type { StoredAs } from '../sql/dialect.ts'
import type { Overlay } from './overlay.ts'
import type { NamedTable } from './relations.ts'

/** A collection of the service itself. The contract declares it, because its database schema is not mirrored. */
export type { SystemCollection } from '@tain/contract/collections'

/** Columns that store rows of other collections, and the column that names the collection; null: none. */
interface KeptIn {
  readonly keeps: { readonly by: string; readonly documents: readonly string[] } | null
}

function keptIn(columns: SystemCollection['columns'] = {}): KeptIn {
  const documents = Object.entries(columns).filter(([, { rowOf }]) => rowOf !== undefined)
  const by = documents[0]?.[1].rowOf
  return { keeps: by === undefined ? null : { by, documents: documents.map(([name]) => name) } }
}

/** The declarations in the form that the mirror uses: tables as if introspected, with their metadata. */
export interface SystemTables extends Pick<Overlay, 'collections' | 'fields' | 'relations'> {
  /** Declared name → table with the name of its collection. */
  readonly tables: ReadonlyMap<string, NamedTable & { readonly isReadOnly: boolean } & KeptIn>
  /** Counter columns; callers see them as integers, regardless of the column width. */
  readonly counters: ReadonlySet<DatabaseColumn>
  /** Lists with a second name. */
  readonly sameLists: readonly { readonly collection: string; readonly field: string; readonly as: string }[]
}

export interface SystemSource {
  readonly schema: string
  readonly declared: readonly SystemCollection[]
  readonly storedAs: StoredAs
}

export const noSystem: SystemTables = {
  tables: new Map(),
  counters: new Set(),
  sameLists: [],
  collections: [],
  fields: [],
  relations: [],
}

/** A user table keeps its name; a system collection of the same name then gets the schema-qualified name. */
export function systemTables({ schema, declared, storedAs }: SystemSource, isTaken: (name: string) => boolean) {
  const names = new Map<string, string>(
    declared.map(({ name }) => {
      let free = isTaken(name) ? `${schema}.${name}` : name
      while (isTaken(free)) free += '_'
      return [name, free]
    }),
  )
  const nameOf = (name: string) => names.get(name) ?? name
  const keyOf = (name: string) => declared.find((entry) => entry.name === name)?.key ?? 'id'
  const tables = declared.map((entry) => tableOf(entry, schema, storedAs, keyOf))
  const result: SystemTables = {
    tables: new Map(
      tables.map((table, index) => [
        table.name,
        {
          name: nameOf(table.name),
          table,
          isReadOnly: declared[index]?.isReadOnly ?? true,
          ...keptIn(declared[index]?.columns),
        },
      ]),
    ),
    counters: new Set(
      tables.flatMap(({ columns }, index) =>
        columns.filter(({ name }) => declared[index]?.columns[name]?.type === 'counter'),
      ),
    ),
    sameLists: declared.flatMap(({ columns }) =>
      Object.values(columns).flatMap(({ to }) =>
        to === undefined || to.list === null
          ? []
          : (to.alsoList ?? []).map((as) => ({ collection: nameOf(to.collection), field: to.list ?? as, as })),
      ),
    ),
    collections: declared.map((entry) => collectionMetaOf(entry, nameOf)),
    fields: declared.flatMap((entry) => fieldMetasOf(entry, nameOf)),
    relations: declared.flatMap((entry) => relationMetasOf(entry, nameOf)),
  }
  return result
}

function tableOf(
  { name, note, key, columns, uniques = [] }: SystemCollection,
  schema: string,
  storedAs: StoredAs,
  keyOf: (name: string) => string,
): DatabaseTable {
  const entries = Object.entries(columns)
  return {
    schema,
    name,
    kind: 'table',
    comment: note,
    columns: entries.map(([column, declared]) => columnOf(column, declared, column === key, storedAs)),
    primaryKey: [key],
    uniques: [[key], ...entries.flatMap(([column, { isUnique }]) => (isUnique === true ? [[column]] : [])), ...uniques],
    indexed: entries.flatMap(([column, { isIndexed }]) => (isIndexed === true ? [column] : [])),
    foreignKeys: entries.flatMap(([column, { to }]) =>
      to === undefined || to.isLoose === true ? [] : [foreignKey(name, column, schema, to, keyOf(to.collection))],
    ),
    privileges: { insert: true, update: true, delete: true },
  }
}

function columnOf(
  name: string,
  { type, isNullable = false, default: expression }: SystemColumn,
  isKey: boolean,
  storedAs: StoredAs,
): DatabaseColumn {
  const isCounter = isKey && type === 'counter'
  return {
    name,
    ...storedAs(type),
    enumValues: null,
    elementType: null,
    isNullable,
    defaultExpression: expression === undefined ? null : defaultText(expression),
    maxLength: null,
    generationExpression: null,
    identity: isCounter ? 'by default' : null,
    hasAutoIncrement: isCounter,
    comment: null,
  }
}

/** The default as a database prints it. */
const defaultText = (value: SystemDefault): string => {
  if (typeof value === 'object') return 'now()'
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}

const foreignKey = (
  table: string,
  column: string,
  toSchema: string,
  { collection: toTable, onDelete = 'CASCADE' }: NonNullable<SystemColumn['to']>,
  toColumn: string,
): DatabaseForeignKey => ({
  name: `${table}_${column}_fkey`,
  columns: [column],
  toSchema,
  toTable,
  toColumns: [toColumn],
  onUpdate: 'NO ACTION',
  onDelete,
})

const defaults = <T extends Readonly<Record<string, MetaColumn>>>(table: T): Record<keyof T, unknown> =>
  Object.fromEntries(Object.entries(table).map(([name, row]) => [name, row.default ?? null])) as Record<
    keyof T,
    unknown
  >

type NameOf = (name: string) => string

const collectionMetaOf = (
  { name, note, accountability, isSingleton = false, sortField }: SystemCollection,
  nameOf: NameOf,
): CollectionMeta =>
  ({
    collection: nameOf(name),
    ...defaults(collectionMeta),
    note,
    singleton: isSingleton,
    sort_field: sortField ?? null,
    accountability: accountability ?? null,
    system: true,
  }) as unknown as CollectionMeta

export const systemField = (collection: string, field: string, special: string): FieldMeta =>
  ({ id: 0, collection, field, ...defaults(fieldMeta), special, system: true }) as unknown as FieldMeta

function fieldMetasOf({ name, columns }: SystemCollection, nameOf: NameOf): FieldMeta[] {
  return Object.entries(columns).flatMap(([column, { special, to }]) => [
    ...(special === undefined ? [] : [systemField(nameOf(name), column, special)]),
    ...(to === undefined || to.list === null
      ? []
      : [to.list, ...(to.alsoList ?? [])].map((list) =>
          systemField(nameOf(to.collection), list, to.junction === undefined ? 'o2m' : 'm2m'),
        )),
  ])
}

const relationMetasOf = ({ name, columns }: SystemCollection, nameOf: NameOf): RelationMeta[] =>
  Object.entries(columns).flatMap(([column, { to }]) =>
    to === undefined
      ? []
      : [
          {
            id: 0,
            many_collection: nameOf(name),
            many_field: column,
            one_collection: nameOf(to.collection),
            ...defaults(relationMeta),
            one_field: to.list,
            junction_field: to.junction ?? null,
            one_deselect_action: to.deselect ?? 'nullify',
            system: true,
          } as unknown as RelationMeta,
        ],
  )
