import { isSpecial, specials as specialTable, type FieldMeta, type FieldType, type Special } from '@tain/contract'
import type { DatabaseColumn, DatabaseSchema, DatabaseTable, HiddenObject } from '../sql/database-schema.ts'
import type { Overlay } from './overlay.ts'
import { inferFields, type InferredFields } from './inferred-fields.ts'
import type { StoredName } from '../sql/service/names.ts'
import type { NameBook } from './names.ts'
import { columnRelations, declareRelations, reverseOf, type NamedTable, type Tables } from './relations.ts'
import { noSystem, systemField, systemTables, type SystemSource, type SystemTables } from './system-collection.ts'
import type {
  AliasField,
  Collection,
  ColumnField,
  DeclaredRelation,
  KeptRows,
  Schema,
  ToAny,
  ToMany,
  ToOne,
} from './schema.ts'

export interface MirrorOptions {
  readonly generation: number
  /** See Schema; absent for a schema that is never served. */
  readonly structureVersion?: string
  readonly fieldTypeOf: (column: DatabaseColumn) => FieldType
  /** Serve everything as read-only. */
  readonly isReadOnly: boolean
  /** The system collections; absent if the service has none. */
  readonly system?: SystemSource
  /** Assigns the base names of types; absent if no protocol has types. */
  readonly nameTypes?: NameTypes
}

/** Stands for all collections of the user among those that are listened to. */
export const EVERYTHING = '*'

/** Assigns every collection a base name for its types, oldest name first. Remembered names stay. */
export type NameTypes = (
  collections: ReadonlyMap<string, Collection>,
  remembered: readonly StoredName[],
) => ReadonlyMap<string, string>

/** Database schema + metadata → Schema. Pure: the same input always gives the same mirror. */
export function mirror(database: DatabaseSchema, metadata: Overlay, options: MirrorOptions): Schema {
  const sources = sourcesOf(database, metadata, options)
  const { shadowed, system, overlay, remembered } = sources
  const bare = bareCollections(sources, options)
  const inferred = inferredIn(sources, bare)
  const collections = withInferred(bare, inferred, system)
  const typeNames = options.nameTypes?.(collections, remembered) ?? null
  return Object.freeze({
    version: overlay.version,
    generation: options.generation,
    structureVersion: options.structureVersion ?? '',
    defaultSchema: database.defaultSchema,
    collections,
    system: new Map([...system.tables].flatMap(([declared, { name }]) => entryOf(declared, collections.get(name)))),
    relations: inferred.relations,
    folders: new Map(
      overlay.collections.flatMap((meta) => (collections.has(meta.collection) ? [] : [[meta.collection, meta]])),
    ),
    hidden: [...database.hidden, ...shadowed],
    names: nameBook(remembered, inferred, collections, typeNames),
    typeNames,
  })
}

/** Tables, metadata and declared relations, before fields are built from them. */
interface Sources extends Omit<Named, keyof Tables> {
  readonly tables: Tables
  readonly systemNames: ReadonlySet<string>
  readonly overlay: Overlay
  readonly relations: readonly DeclaredRelation[]
  readonly reverses: ReadonlyMap<string, ReadonlyMap<string, Reverse>>
  readonly remembered: readonly StoredName[]
}

function sourcesOf(database: DatabaseSchema, metadata: Overlay, options: MirrorOptions): Sources {
  const { shadowed, system, ...tables } = nameTables(database, options.system)
  const systemNames = new Set([...system.tables.values()].map(({ name }) => name))
  const overlay = withSystem(metadata, system, systemNames)
  const relations = declareRelations(tables, overlay.relations)
  const reverses = declaredReverses(relations, tables)
  for (const { collection, field, as } of system.sameLists) {
    const list = reverses.get(collection)?.get(field)
    if (list !== undefined) reverses.get(collection)?.set(as, list)
  }
  return { shadowed, system, tables, systemNames, overlay, relations, reverses, remembered: metadata.names }
}

/** A collection before the fields that follow from foreign keys alone. */
type BareCollection = Omit<Collection, 'inferred' | 'inferredNames' | 'kept'>

function bareCollections(sources: Sources, options: MirrorOptions): ReadonlyMap<string, BareCollection> {
  const { tables, system, systemNames, overlay, relations, reverses } = sources
  const relationsOf = groupBy(relations, (relation) => relation.collection)
  const fieldMetas = groupBy(overlay.fields, (meta) => meta.collection)
  const collectionMetas = new Map(overlay.collections.map((meta) => [meta.collection, meta]))
  const fieldTypeOf = (column: DatabaseColumn) =>
    system.counters.has(column) ? 'integer' : options.fieldTypeOf(column)
  const isFixed = (name: string) => [...system.tables.values()].some((entry) => entry.name === name && entry.isReadOnly)
  const bare = new Map<string, BareCollection>()
  for (const { name, table } of tables.byName.values()) {
    const metas = fieldMetas.get(name) ?? []
    const leads = columnRelations(relationsOf.get(name) ?? [], tables)
    const columns = columnFields(table, metas, leads, fieldTypeOf)
    const key = table.primaryKey.map((column) => columns.get(column)).filter((field) => field !== undefined)
    bare.set(name, {
      name,
      schema: table.schema,
      table: table.name,
      kind: table.kind,
      comment: table.comment,
      key,
      beyondKey: (table.beyondKey ?? []).map((column) => plainField(column, fieldTypeOf)),
      columns,
      aliases: aliasFields(columns, metas, reverses.get(name) ?? new Map<string, Reverse>()),
      uniques: table.uniques,
      indexed: table.indexed,
      foreignKeys: table.foreignKeys,
      meta: collectionMetas.get(name) ?? null,
      isWhollyReadable: table.isPartlyReadable !== true,
      isTransactional: table.isTransactional !== false,
      hasInsertTrigger: table.hasInsertTrigger === true,
      isReadOnly: options.isReadOnly || key.length === 0 || !canWrite(table) || isFixed(name),
      isSystem: systemNames.has(name),
      capturedSince: capturedSince(name, systemNames.has(name), overlay),
    })
  }
  return bare
}

/** Who listens to everything listens to all collections of the user. */
const capturedSince = (name: string, isSystem: boolean, { listened }: Overlay): number | null =>
  listened?.get(name) ?? (isSystem ? null : (listened?.get(EVERYTHING) ?? null))

function inferredIn(sources: Sources, bare: ReadonlyMap<string, BareCollection>): InferredFields {
  const { tables, relations, reverses, systemNames, remembered } = sources
  return inferFields(tables, relations, {
    remembered,
    isTaken: (collection, field) => {
      const { columns, aliases } = bare.get(collection) ?? {}
      return Boolean(columns?.has(field) || aliases?.has(field))
    },
    isSystem: (name) => systemNames.has(name),
    isDeclared: (relation) => {
      const { relatedCollection: one, meta } = relation
      return reverses.get(one ?? '')?.get(meta?.one_field ?? '')?.of === relation && isAlias(bare, one, meta?.one_field)
    },
  })
}

function withInferred(
  bare: ReadonlyMap<string, BareCollection>,
  { byCollection, names }: InferredFields,
  system: SystemTables,
): ReadonlyMap<string, Collection> {
  const nothing: Collection['inferred'] = new Map()
  const secrets = secretsIn(bare.values())
  const keeping = new Map([...system.tables.values()].map(({ name, keeps }) => [name, keeps]))
  const collections = new Map<string, Collection>()
  for (const [name, collection] of bare)
    collections.set(
      name,
      Object.freeze({
        ...collection,
        inferred: byCollection.get(name) ?? nothing,
        inferredNames: names.get(name) ?? noNames,
        kept: keptRows(keeping.get(name) ?? null, secrets),
      }),
    )
  return collections
}

/** Secret fields by collection. System collections are left out: their secrets have always been secret. */
const secretsIn = (
  collections: Iterable<Pick<Collection, 'name' | 'isSystem' | 'columns'>>,
): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...collections].flatMap(({ name, isSystem, columns }) => {
      const names = [...columns.values()].filter(({ specials }) => specials.includes('conceal'))
      return isSystem || names.length === 0 ? [] : [[name, names.map((field) => field.name)] as const]
    }),
  )

const keptRows = (keeps: Omit<KeptRows, 'secrets'> | null, secrets: KeptRows['secrets']): KeptRows | null =>
  keeps === null || secrets.size === 0 ? null : { ...keeps, secrets }

const isAlias = (
  collections: ReadonlyMap<string, Pick<Collection, 'aliases'>>,
  collection: string | null,
  field: string | null | undefined,
) => collections.get(collection ?? '')?.aliases.has(field ?? '') === true

function nameBook(
  remembered: readonly StoredName[],
  { fresh, displaced, subjects }: InferredFields,
  collections: ReadonlyMap<string, Collection>,
  typeNames: ReadonlyMap<string, string> | null,
): NameBook {
  const known = new Set(remembered.flatMap(({ kind, collection }) => (kind === 'type' ? [collection] : [])))
  const types = [...(typeNames ?? [])].flatMap(([collection, name]): StoredName[] =>
    known.has(collection) || collections.get(collection)?.isSystem !== false
      ? []
      : [{ kind: 'type', collection, subject: '', name, instead: null }],
  )
  return {
    remembered,
    fresh: [...fresh, ...types],
    displaced,
    subjects,
  }
}

const entryOf = <T>(name: string, value: T | undefined): [string, T][] => (value === undefined ? [] : [[name, value]])

/** Ignores stored metadata about system collections, except for relations that lead to them and back. */
function withSystem(metadata: Overlay, system: SystemTables, names: ReadonlySet<string>): Overlay {
  const isOwn = new Set([
    ...system.fields.map(({ collection, field }) => fieldKey(collection, field)),
    ...[...system.tables.values()].flatMap(({ name, table }) =>
      table.columns.map((column) => fieldKey(name, column.name)),
    ),
  ])
  const relations = metadata.relations
    .filter((row) => !names.has(row.many_collection))
    .map((row) => (isOwn.has(fieldKey(row.one_collection, row.one_field)) ? { ...row, one_field: null } : row))
  // Lists that users have added to system collections; fields that the service declares stay as they are.
  const added = metadata.fields.filter(({ collection, field }) => !isOwn.has(fieldKey(collection, field)))
  const known = new Set(added.map(({ collection, field }) => fieldKey(collection, field)))
  const lists = relations.flatMap(({ one_collection: collection, one_field: field }) =>
    collection !== null && field !== null && names.has(collection) && !known.has(fieldKey(collection, field))
      ? [systemField(collection, field, 'o2m')]
      : [],
  )
  return {
    names: metadata.names,
    ...(metadata.listened === undefined ? {} : { listened: metadata.listened }),
    version: metadata.version,
    collections: [...metadata.collections.filter(({ collection }) => !names.has(collection)), ...system.collections],
    fields: [...added, ...system.fields, ...lists],
    relations: [...relations, ...system.relations],
  }
}

const fieldKey = (collection: string | null, field: string | null) => JSON.stringify([collection, field])

interface Named extends Tables {
  readonly shadowed: HiddenObject[]
  readonly system: SystemTables
}

function nameTables({ tables, defaultSchema }: DatabaseSchema, source: SystemSource | undefined): Named {
  const byName = new Map<string, NamedTable>()
  const bySchema = new Map<string, Map<string, string>>()
  const shadowed: HiddenObject[] = []
  const add = (name: string, table: DatabaseTable) => {
    byName.set(name, { name, table })
    const names = bySchema.get(table.schema) ?? new Map<string, string>()
    names.set(table.name, name)
    bySchema.set(table.schema, names)
  }
  const bareNames = new Set(tables.flatMap(({ schema, name }) => (schema === defaultSchema ? [name] : [])))
  for (const table of tables) {
    const isBare = table.schema === defaultSchema
    const name = isBare ? table.name : `${table.schema}.${table.name}`
    // A table of the default schema whose name contains a dot wins over a table of another schema.
    if (byName.has(name) || (!isBare && bareNames.has(name))) {
      const reason = `another table already is the collection "${name}"`
      shadowed.push({ schema: table.schema, table: table.name, column: null, reason })
      continue
    }
    add(name, table)
  }
  const system = source === undefined ? noSystem : systemTables(source, (name) => byName.has(name))
  for (const { name, table } of system.tables.values()) add(name, table)
  return { byName, nameOf: (schema, table) => bySchema.get(schema)?.get(table), shadowed, system }
}

const canWrite = ({ kind, privileges }: DatabaseTable) =>
  (kind === 'table' || kind === 'partitioned' || kind === 'foreign') &&
  (privileges.insert || privileges.update || privileges.delete)

/** The flags of a field. A flag that marks a secret always implies `conceal`. */
export function specialsOf(meta: Pick<FieldMeta, 'special'> | undefined): Special[] {
  const flags = (meta?.special ?? '')
    .split(',')
    .map((flag) => flag.trim())
    .filter((flag): flag is Special => isSpecial(flag))
  const isConcealed = flags.some((flag) => specialTable[flag].secret === true) && !flags.includes('conceal')
  return isConcealed ? [...flags, 'conceal'] : flags
}

const noNames: readonly string[] = Object.freeze([])
const noSpecials: readonly Special[] = Object.freeze([])

function columnFields(
  table: DatabaseTable,
  metas: readonly FieldMeta[],
  leads: ReadonlyMap<string, ToOne | ToAny>,
  fieldTypeOf: MirrorOptions['fieldTypeOf'],
): Map<string, ColumnField> {
  const metaOf = new Map(metas.map((meta) => [meta.field, meta]))
  const fields = new Map<string, ColumnField>()
  for (const column of table.columns) {
    const meta = metaOf.get(column.name)
    const flags = meta === undefined ? noSpecials : specialsOf(meta)
    fields.set(column.name, {
      kind: 'column',
      name: column.name,
      type: castType(flags) ?? fieldTypeOf(column),
      column: flags.includes('cast-boolean') ? trueOrFalse(column) : column,
      specials: flags,
      meta: meta ?? null,
      relation: leads.get(column.name) ?? null,
    })
  }
  return fields
}

/** The owner declares that a boolean column holds nothing else. */
const trueOrFalse = (column: DatabaseColumn): DatabaseColumn => ({ ...column, holdsNumbers: false })

/** A column without metadata. */
const plainField = (column: DatabaseColumn, fieldTypeOf: MirrorOptions['fieldTypeOf']): ColumnField => ({
  kind: 'column',
  name: column.name,
  type: fieldTypeOf(column),
  column,
  specials: noSpecials,
  meta: null,
  relation: null,
})

export function castType(flags: readonly Special[]): FieldType | undefined {
  for (const flag of flags) {
    const { type } = specialTable[flag]
    if (type !== undefined) return type
  }
  return undefined
}

function aliasFields(
  columns: ReadonlyMap<string, ColumnField>,
  metas: readonly FieldMeta[],
  reverses: ReadonlyMap<string, Reverse>,
): Map<string, AliasField> {
  const aliases = new Map<string, AliasField>()
  for (const meta of metas) {
    if (columns.has(meta.field)) continue
    const relation = reverses.get(meta.field)?.list ?? null
    aliases.set(meta.field, { kind: 'alias', name: meta.field, specials: specialsOf(meta), meta, relation })
  }
  return aliases
}

interface Reverse {
  readonly of: DeclaredRelation
  readonly list: ToMany
}

/** collection → field → to-many relation, for the reverse fields that metadata names. */
function declaredReverses(relations: readonly DeclaredRelation[], tables: Tables): Map<string, Map<string, Reverse>> {
  const reverses = new Map<string, Map<string, Reverse>>()
  for (const relation of relations) {
    const { relatedCollection, meta } = relation
    const reverse = meta?.one_field ? reverseOf(relation, tables) : null
    if (reverse === null || relatedCollection === null || !meta?.one_field) continue
    const fields = reverses.get(relatedCollection) ?? new Map<string, Reverse>()
    fields.set(meta.one_field, { of: relation, list: reverse })
    reverses.set(relatedCollection, fields)
  }
  return reverses
}

function groupBy<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group === undefined) groups.set(keyOf(row), [row])
    else group.push(row)
  }
  return groups
}
