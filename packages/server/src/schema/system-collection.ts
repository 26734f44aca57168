import { collectionMeta, fieldMeta, relationMeta } from '@tain/contract'
import type { CollectionMeta, FieldMeta, MetaColumn, RelationMeta } from '@tain/contract'
import type { DatabaseColumn, DatabaseForeignKey, DatabaseTable } from '../sql/database-schema.ts'
import type { StoredAs, StoredType } from '../sql/dialect.ts'
import type { Overlay } from './overlay.ts'
import type { NamedTable } from './relations.ts'

/** A collection of the service itself: declared, because the schema it lives in is not mirrored. */
export interface SystemCollection {
  /** Of the collection and of its table. */
  readonly name: string
  /** The address it is served under, without slashes; it is never below /items. */
  readonly path: string
  readonly note: string
  readonly key: string
  readonly isReadOnly: boolean
  readonly columns: Readonly<Record<string, SystemColumn>>
}

export interface SystemColumn {
  readonly type: StoredType
  readonly isNullable?: boolean
  readonly default?: string
  readonly isIndexed?: boolean
  readonly special?: string
  /** The system collection whose key the column holds, and the list field on that side. */
  readonly to?: { readonly collection: string; readonly list: string | null }
}

/** The declarations as the mirror takes them: tables as if they had been found, with their metadata. */
export interface SystemTables extends Pick<Overlay, 'collections' | 'fields' | 'relations'> {
  /** Declared name → table under the name its collection goes by. */
  readonly tables: ReadonlyMap<string, NamedTable & { readonly isReadOnly: boolean }>
  /** Counters are numbers for callers, however wide the column is. */
  readonly counters: ReadonlySet<DatabaseColumn>
}

export interface SystemSource {
  readonly schema: string
  readonly declared: readonly SystemCollection[]
  readonly storedAs: StoredAs
}

export const noSystem: SystemTables = {
  tables: new Map(),
  counters: new Set(),
  collections: [],
  fields: [],
  relations: [],
}

/** A user's table keeps its name: the service's own then goes by the longer one. */
export function systemTables({ schema, declared, storedAs }: SystemSource, isTaken: (name: string) => boolean) {
  const names = new Map(
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
        { name: nameOf(table.name), table, isReadOnly: declared[index]?.isReadOnly ?? true },
      ]),
    ),
    counters: new Set(
      tables.flatMap(({ columns }, index) =>
        columns.filter(({ name }) => declared[index]?.columns[name]?.type === 'counter'),
      ),
    ),
    collections: declared.map((entry) => collectionMetaOf(entry, nameOf)),
    fields: declared.flatMap((entry) => fieldMetasOf(entry, nameOf)),
    relations: declared.flatMap((entry) => relationMetasOf(entry, nameOf)),
  }
  return result
}

function tableOf(
  { name, note, key, columns }: SystemCollection,
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
    uniques: [[key]],
    indexed: entries.flatMap(([column, { isIndexed }]) => (isIndexed === true ? [column] : [])),
    foreignKeys: entries.flatMap(([column, { to }]) =>
      to === undefined ? [] : [foreignKey(name, column, schema, to.collection, keyOf(to.collection))],
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
    defaultExpression: expression ?? null,
    maxLength: null,
    generationExpression: null,
    identity: isCounter ? 'by default' : null,
    hasAutoIncrement: isCounter,
    comment: null,
  }
}

const foreignKey = (
  table: string,
  column: string,
  toSchema: string,
  toTable: string,
  toColumn: string,
): DatabaseForeignKey => ({
  name: `${table}_${column}_fkey`,
  columns: [column],
  toSchema,
  toTable,
  toColumns: [toColumn],
  onUpdate: 'NO ACTION',
  onDelete: 'CASCADE',
})

const defaults = <T extends Readonly<Record<string, MetaColumn>>>(table: T): Record<keyof T, unknown> =>
  Object.fromEntries(Object.entries(table).map(([name, row]) => [name, row.default ?? null])) as Record<
    keyof T,
    unknown
  >

type NameOf = (name: string) => string

const collectionMetaOf = ({ name, note }: SystemCollection, nameOf: NameOf): CollectionMeta =>
  ({
    collection: nameOf(name),
    ...defaults(collectionMeta),
    note,
    // What the service writes down is not written down again.
    accountability: null,
    system: true,
  }) as unknown as CollectionMeta

const metaOfField = (collection: string, field: string, special: string): FieldMeta =>
  ({ id: 0, collection, field, ...defaults(fieldMeta), special, system: true }) as unknown as FieldMeta

function fieldMetasOf({ name, columns }: SystemCollection, nameOf: NameOf): FieldMeta[] {
  return Object.entries(columns).flatMap(([column, { special, to }]) => [
    ...(special === undefined ? [] : [metaOfField(nameOf(name), column, special)]),
    ...(to === undefined || to.list === null ? [] : [metaOfField(nameOf(to.collection), to.list, 'o2m')]),
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
            system: true,
          } as unknown as RelationMeta,
        ],
  )
