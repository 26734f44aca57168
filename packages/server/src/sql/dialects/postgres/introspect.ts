import type {
  DatabaseColumn,
  DatabaseForeignKey,
  DatabaseSchema,
  DatabaseTable,
  HiddenObject,
  ReferentialAction,
  TableKind,
} from '../../database-schema.ts'
import type { Row, Statement } from '../../driver.ts'
import { mirroredRelation, mirroredSchema, type MirrorScope } from './fingerprint.ts'
import { insertTriggersText } from './insert-triggers.ts'
import { interner, type Intern } from './intern.ts'

type Query = (statement: Statement) => Promise<readonly Row[]>

/** Reads the catalogue in a fixed number of queries. Pass a transaction's `query` if they must share one snapshot. */
export async function introspect(query: Query, options: MirrorScope): Promise<DatabaseSchema> {
  const [scope = []] = await query({ text: schemasText, values: [options.systemSchema, options.schemas] })
  const schemas = parseList(scope[1])
  const intern = interner()
  const relations = (await query({ text: relationsText, values: [schemas] })).map((row) => relationOf(row, intern))
  const readable = relations.filter(({ readability }) => readability !== 'none')
  const served = readable.map(({ id }) => id)
  const limited = readable.filter(({ readability }) => readability === 'some').map(({ id }) => id)

  const columnRows = await query({ text: columnsText, values: [served, limited] })
  const typeIds = [...new Set(columnRows.map((row) => textAt(row, 3)))]
  const types = typesOf(await query({ text: typesText, values: [typeIds] }))
  const indexes = groupByFirst(await query({ text: indexesText, values: [served] }))
  const foreignKeys = groupByFirst(await query({ text: foreignKeysText, values: [served] }))
  const triggered = new Set((await query({ text: insertTriggersText, values: [] })).map((row) => textAt(row, 0)))

  const { columns, hidden } = columnsOf(columnRows, types, intern)
  const parts: TableParts = { columns, indexes, foreignKeys, triggered, byId: mapBy(readable, ({ id }) => id), intern }

  return {
    defaultSchema: scope[0] ?? 'public',
    tables: readable.map((relation) => tableOf(relation, parts)),
    hidden: [
      ...relations.filter(({ readability }) => readability === 'none').map(hiddenTable),
      ...hidden.flatMap(({ id, name }) => hiddenColumn(parts.byId.get(id), name)),
    ],
  }
}

// the system schema is never served, so it cannot be the default schema
const schemasText = `
  select nullif(current_schema(), $1), coalesce(json_agg(n.oid::text), '[]')::text
  from pg_catalog.pg_namespace n
  where ${mirroredSchema}`

// column privileges are checked only if the table privilege is missing: the functions check in that order
const relationsText = `
  select c.oid::text, n.nspname::text, c.relname::text, c.relkind::text,
    case when has_table_privilege(c.oid, 'SELECT') then 'all'
      when has_any_column_privilege(c.oid, 'SELECT') then 'some' else 'none' end,
    has_any_column_privilege(c.oid, 'INSERT')::text,
    has_any_column_privilege(c.oid, 'UPDATE')::text,
    has_table_privilege(c.oid, 'DELETE')::text,
    t.description
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  left join pg_catalog.pg_description t
    on t.objoid = c.oid and t.objsubid = 0 and t.classoid = 'pg_catalog.pg_class'::regclass
  where c.relnamespace = any($1::oid[]) and ${mirroredRelation}
    and c.oid <> all(array(
      select d.objid from pg_catalog.pg_depend d
      where d.refclassid = 'pg_catalog.pg_extension'::regclass and d.classid = 'pg_catalog.pg_class'::regclass
        and d.deptype = 'e'))
  order by n.nspname, c.relname`

// only generation expressions reference other columns; for defaults, passing no table skips the name lookup
const columnsText = `
  select a.attrelid::text, a.attnum::text, a.attname::text, a.atttypid::text,
    case a.atttypmod when -1 then null else a.atttypmod::text end,
    case when a.attnotnull then 't' end,
    nullif(a.attidentity::text, ''),
    case when a.attgenerated <> '' then 't' end,
    case when a.attrelid = any($2::oid[]) and not has_column_privilege(a.attrelid, a.attnum, 'SELECT') then 't' end,
    pg_get_expr(d.adbin, case when a.attgenerated = '' then 0 else a.attrelid end),
    t.description
  from pg_catalog.pg_attribute a
  left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  left join pg_catalog.pg_description t
    on t.objoid = a.attrelid and t.objsubid = a.attnum and t.classoid = 'pg_catalog.pg_class'::regclass
  where a.attrelid = any($1::oid[]) and a.attnum > 0 and not a.attisdropped
  order by a.attrelid, a.attnum`

// the types in use and the types they are built on: base types of domains, element types of arrays. A type is an array
// if its element type names it as its array type; other types with elements (name, int2vector, point) are not arrays.
const typesText = `
  with recursive used (oid) as (
    select unnest($1::oid[])
    union
    select part.oid from used
    join pg_catalog.pg_type t on t.oid = used.oid
    join lateral (values (t.typbasetype), (t.typelem)) part (oid) on part.oid <> 0
  )
  select t.oid::text,
    case when n.nspname <> 'pg_catalog' and exists (
      select from pg_catalog.pg_type other
      where other.typname = t.typname and other.typnamespace = 'pg_catalog'::regnamespace)
      then n.nspname || '.' || t.typname else t.typname::text end,
    case n.nspname when 'pg_catalog' then format_type(t.oid, null) else t.typname::text end,
    case n.nspname when 'pg_catalog' then format_type(t.oid, -1)
      else quote_ident(n.nspname) || '.' || quote_ident(t.typname) end,
    case when t.typtype = 'd' then t.typbasetype::text end,
    case when t.typtype = 'd' and t.typtypmod <> -1 then t.typtypmod::text end,
    case when t.typtype = 'd' and t.typnotnull then 't' end,
    case when t.typtype = 'd' then t.typdefault end,
    case when element.typarray = t.oid then element.oid::text end,
    (select json_agg(e.enumlabel order by e.enumsortorder)::text
      from pg_catalog.pg_enum e where t.typtype = 'e' and e.enumtypid = t.oid),
    case when t.typtype in ('e', 'r', 'm') or t.typtype = 'b' and exists (
      select from pg_catalog.pg_opclass o
      join pg_catalog.pg_amop strategy on strategy.amopfamily = o.opcfamily and strategy.amopstrategy = 1
        and strategy.amoplefttype = o.opcintype and strategy.amoprighttype = o.opcintype
      join pg_catalog.pg_operator less on less.oid = strategy.amopopr and less.oprname = '<'
      where o.opcdefault and o.opcmethod = (select am.oid from pg_catalog.pg_am am where am.amname = 'btree')
        and (o.opcintype = t.oid or o.opcintype in (
          select cast_.casttarget from pg_catalog.pg_cast cast_
          where cast_.castsource = t.oid and cast_.castmethod = 'b' and cast_.castcontext = 'i')))
      then 't' end
  from used
  join pg_catalog.pg_type t on t.oid = used.oid
  join pg_catalog.pg_namespace n on n.oid = t.typnamespace
  left join pg_catalog.pg_type element on element.oid = t.typelem`

const indexesText = `
  select i.indrelid::text, i.indkey::text, i.indnkeyatts::text, i.indisprimary::text, i.indisunique::text,
    (i.indpred is null and i.indexprs is null)::text
  from pg_catalog.pg_index i
  where i.indrelid = any($1::oid[]) and i.indisvalid
  order by i.indrelid, i.indisprimary desc, i.indexrelid`

// constraints with a parent are copies that the database makes for partitions, on either side
const foreignKeysText = `
  select f.conrelid::text, f.conname::text, array_to_string(f.conkey, ' '), f.confrelid::text,
    array_to_string(f.confkey, ' '), f.confupdtype::text, f.confdeltype::text
  from pg_catalog.pg_constraint f
  where f.conrelid = any($1::oid[]) and f.contype = 'f' and f.conparentid = 0
  order by f.conrelid, f.conname`

interface Relation {
  readonly id: string
  readonly schema: string
  readonly name: string
  readonly kind: TableKind
  readonly readability: 'all' | 'some' | 'none'
  readonly privileges: DatabaseTable['privileges']
  readonly comment: string | null
}

const kinds: ReadonlyMap<string, TableKind> = new Map([
  ['r', 'table'],
  ['p', 'partitioned'],
  ['v', 'view'],
  ['m', 'materialized-view'],
  ['f', 'foreign'],
])

function relationOf(row: Row, intern: Intern): Relation {
  const [id, schema, name, kind, readability, mayInsert, mayUpdate, mayDelete, comment] = row
  return {
    id: id ?? '',
    schema: intern(schema ?? ''),
    name: intern(name ?? ''),
    kind: kinds.get(kind ?? '') ?? 'table',
    readability: readability === 'all' || readability === 'some' ? readability : 'none',
    privileges: { insert: mayInsert === 'true', update: mayUpdate === 'true', delete: mayDelete === 'true' },
    comment: intern(comment ?? null),
  }
}

const hiddenTable = ({ schema, name }: Relation): HiddenObject => ({
  schema,
  table: name,
  column: null,
  reason: 'the database role may not SELECT from this table',
})

const hiddenColumn = (relation: Relation | undefined, column: string): readonly HiddenObject[] =>
  relation === undefined
    ? []
    : [
        {
          schema: relation.schema,
          table: relation.name,
          column,
          reason: 'the database role may not SELECT this column',
        },
      ]

/** The properties that all columns of one type share; computed once per type. */
interface ColumnType extends Pick<
  DatabaseColumn,
  'dataType' | 'castType' | 'baseType' | 'enumValues' | 'elementType' | 'isComparable'
> {
  readonly isDomain: boolean
  /** A domain's own length or precision; for other types it belongs to the column. */
  readonly modifier: number | null
  readonly isNotNull: boolean
  readonly defaultExpression: string | null
}

interface CatalogueType extends Omit<ColumnType, 'isDomain' | 'elementType'> {
  readonly base: string | null
  readonly element: string | null
}

function catalogueTypeOf(row: Row): CatalogueType {
  const [, baseType, dataType, castType, base, modifier, notNull, defaultExpression, element, labels, order] = row
  return {
    baseType: baseType ?? '',
    dataType: dataType ?? '',
    castType: castType ?? '',
    base: base ?? null,
    element: element ?? null,
    modifier: integerOf(modifier),
    isNotNull: notNull === 't',
    defaultExpression: defaultExpression ?? null,
    enumValues: labels === null || labels === undefined ? null : Object.freeze(parseList(labels)),
    isComparable: order === 't',
  }
}

type Types = ReadonlyMap<string, ColumnType>

function typesOf(rows: readonly Row[]): Types {
  const catalogue = new Map(rows.map((row) => [textAt(row, 0), catalogueTypeOf(row)]))
  const resolved = new Map<string, ColumnType>()

  const resolve = (id: string): ColumnType => {
    const known = resolved.get(id)
    if (known !== undefined) return known
    const type = catalogue.get(id)
    const made = type === undefined ? undefinedType : typeOf(type)
    resolved.set(id, made)
    return made
  }

  const typeOf = (type: CatalogueType): ColumnType => {
    if (type.base !== null) return domainOver(type, resolve(type.base))
    if (type.element !== null) return arrayOf(type, resolve(type.element), catalogue.get(type.element))
    return { ...withoutParts(type), isDomain: false, elementType: null }
  }

  for (const id of catalogue.keys()) resolve(id)
  return resolved
}

const withoutParts = ({ base: _base, element: _element, ...type }: CatalogueType) => type

// a cast to the base type lets a filter use values that the domain itself would refuse
const domainOver = (domain: CatalogueType, base: ColumnType): ColumnType => ({
  ...base,
  isDomain: true,
  modifier: domain.modifier ?? base.modifier,
  isNotNull: domain.isNotNull || base.isNotNull,
  defaultExpression: domain.defaultExpression ?? base.defaultExpression,
})

// arrays of a domain keep their own cast: the database compares arrays only with arrays of exactly the same type
const arrayOf = (array: CatalogueType, element: ColumnType, declared: CatalogueType | undefined): ColumnType => ({
  ...withoutParts(array),
  dataType: `${element.dataType}[]`,
  castType: array.castType.endsWith('[]') ? array.castType : `${declared?.castType ?? element.castType}[]`,
  isDomain: false,
  elementType: element.baseType,
  isComparable: element.isComparable,
})

/** Replaces a type that was dropped between two queries; the fingerprint has then changed too. */
const undefinedType: ColumnType = {
  baseType: 'unknown',
  dataType: 'unknown',
  castType: 'unknown',
  enumValues: null,
  elementType: null,
  isDomain: false,
  isComparable: false,
  modifier: null,
  isNotNull: false,
  defaultExpression: null,
}

interface TableColumns {
  readonly list: DatabaseColumn[]
  readonly nameByNumber: Map<string, string>
}

interface FoundColumns {
  readonly columns: ReadonlyMap<string, TableColumns>
  readonly hidden: readonly { readonly id: string; readonly name: string }[]
}

function columnsOf(rows: readonly Row[], types: Types, intern: Intern): FoundColumns {
  const columns = new Map<string, TableColumns>()
  const hidden: { id: string; name: string }[] = []
  for (const row of rows) {
    const id = textAt(row, 0)
    if (row[8] === 't') {
      hidden.push({ id, name: textAt(row, 2) })
      continue
    }
    let table = columns.get(id)
    if (table === undefined) {
      table = { list: [], nameByNumber: new Map() }
      columns.set(id, table)
    }
    const column = columnOf(row, types.get(textAt(row, 3)) ?? undefinedType, intern)
    table.list.push(column)
    table.nameByNumber.set(textAt(row, 1), column.name)
  }
  return { columns, hidden }
}

function columnOf(row: Row, type: ColumnType, intern: Intern): DatabaseColumn {
  const modifier = type.isDomain ? type.modifier : integerOf(row[4])
  const identity = row[6] === 'a' ? 'always' : row[6] === 'd' ? 'by default' : null
  const isGenerated = row[7] === 't'
  const expression = row[9] ?? null
  const defaultExpression = isGenerated || identity !== null ? null : (expression ?? type.defaultExpression)
  const [numericPrecision, numericScale] = numericLimits(type.baseType, modifier)

  return {
    name: intern(textAt(row, 2)),
    dataType: type.dataType,
    castType: type.castType,
    baseType: type.baseType,
    enumValues: type.enumValues,
    elementType: type.elementType,
    isComparable: type.isComparable,
    isNullable: row[5] !== 't' && !type.isNotNull,
    defaultExpression: intern(defaultExpression),
    maxLength: lengthLimit(type.baseType, modifier),
    numericPrecision,
    numericScale,
    generationExpression: intern(isGenerated ? expression : null),
    identity,
    hasAutoIncrement: identity !== null || (defaultExpression !== null && defaultExpression.startsWith('nextval(')),
    comment: intern(row[10] ?? null),
  }
}

// the modifier of text types includes a header of four bytes
const lengthLimit = (baseType: string, modifier: number | null): number | null =>
  modifier !== null && (baseType === 'varchar' || baseType === 'bpchar') ? modifier - 4 : null

type NumericLimits = readonly [precision: number | null, scale: number | null]

const unlimited: NumericLimits = [null, null]

const binaryLimits: ReadonlyMap<string, NumericLimits> = new Map([
  ['int2', [16, 0]],
  ['int4', [32, 0]],
  ['int8', [64, 0]],
  ['float4', [24, null]],
  ['float8', [53, null]],
])

function numericLimits(baseType: string, modifier: number | null): NumericLimits {
  if (baseType !== 'numeric') return binaryLimits.get(baseType) ?? unlimited
  if (modifier === null) return unlimited
  const packed = modifier - 4
  // eleven bits with a sign: since PostgreSQL 15 a scale may be negative
  return [(packed >> 16) & 0xffff, ((packed & 0x7ff) ^ 0x400) - 0x400]
}

interface TableParts {
  readonly columns: ReadonlyMap<string, TableColumns>
  readonly indexes: ReadonlyMap<string, readonly Row[]>
  readonly foreignKeys: ReadonlyMap<string, readonly Row[]>
  readonly triggered: ReadonlySet<string>
  readonly byId: ReadonlyMap<string, Relation>
  readonly intern: Intern
}

const none: readonly never[] = Object.freeze([])
const noColumns: TableColumns = { list: [], nameByNumber: new Map() }

function tableOf(relation: Relation, parts: TableParts): DatabaseTable {
  const { list, nameByNumber } = parts.columns.get(relation.id) ?? noColumns
  const indexes = (parts.indexes.get(relation.id) ?? none).map((row) => indexOf(row, nameByNumber))
  const uniques = indexes.flatMap(({ isUnique, columns }) => (isUnique && columns !== null ? [columns] : []))
  const indexed = indexes.flatMap(({ leading }) => leading ?? none)

  return {
    schema: relation.schema,
    name: relation.name,
    kind: relation.kind,
    comment: relation.comment,
    columns: list,
    primaryKey: indexes.find(({ isPrimary }) => isPrimary)?.columns ?? none,
    uniques: orNone(distinctSets(uniques)),
    indexed: orNone([...new Set(indexed)]),
    foreignKeys: orNone(
      (parts.foreignKeys.get(relation.id) ?? none).flatMap((row) => foreignKeyOf(row, nameByNumber, parts)),
    ),
    isPartlyReadable: relation.readability === 'some',
    hasInsertTrigger: parts.triggered.has(relation.id),
    privileges: relation.privileges,
  }
}

interface Index {
  readonly isPrimary: boolean
  readonly isUnique: boolean
  /** null when the index covers something that is not a readable column. */
  readonly columns: readonly string[] | null
  readonly leading: string | null
}

function indexOf(row: Row, nameByNumber: ReadonlyMap<string, string>): Index {
  const [, keys, keyCount, isPrimary, isUnique, isPlain] = row
  // INCLUDE columns follow the key columns
  const numbers = (keys ?? '').split(' ').slice(0, Number(keyCount))
  return {
    isPrimary: isPrimary === 'true',
    isUnique: isUnique === 'true',
    columns: isPlain === 'true' ? namesOf(numbers, nameByNumber) : null,
    leading: isUnique === 'true' ? null : (nameByNumber.get(numbers[0] ?? '') ?? null),
  }
}

const actions: ReadonlyMap<string, ReferentialAction> = new Map([
  ['a', 'NO ACTION'],
  ['r', 'RESTRICT'],
  ['c', 'CASCADE'],
  ['n', 'SET NULL'],
  ['d', 'SET DEFAULT'],
])

const actionOf = (code: string | null | undefined): ReferentialAction => actions.get(code ?? '') ?? 'NO ACTION'

function foreignKeyOf(
  row: Row,
  nameByNumber: ReadonlyMap<string, string>,
  { columns: columnsById, byId, intern }: TableParts,
): readonly DatabaseForeignKey[] {
  const [, name, numbers, targetId, targetNumbers, onUpdate, onDelete] = row
  const target = byId.get(targetId ?? '')
  const targetNames = columnsById.get(targetId ?? '')?.nameByNumber
  if (target === undefined || targetNames === undefined) return none
  const columns = namesOf((numbers ?? '').split(' '), nameByNumber)
  const toColumns = namesOf((targetNumbers ?? '').split(' '), targetNames)
  if (columns === null || toColumns === null) return none
  return [
    {
      name: intern(name ?? ''),
      columns,
      toSchema: target.schema,
      toTable: target.name,
      toColumns,
      onUpdate: actionOf(onUpdate),
      onDelete: actionOf(onDelete),
    },
  ]
}

/** null if the role cannot read one of the columns. */
function namesOf(numbers: readonly string[], nameByNumber: ReadonlyMap<string, string>): readonly string[] | null {
  const names: string[] = []
  for (const number of numbers) {
    const name = nameByNumber.get(number)
    if (name === undefined) return null
    names.push(name)
  }
  return names
}

function distinctSets(sets: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const seen = new Set<string>()
  return sets.filter((set) => {
    const key = JSON.stringify(set.toSorted())
    return seen.size < seen.add(key).size
  })
}

const orNone = <T>(list: readonly T[]): readonly T[] => (list.length === 0 ? none : list)

const groupByFirst = (rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> =>
  Map.groupBy(rows, (row) => textAt(row, 0))

const mapBy = <T>(list: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, T> =>
  new Map(list.map((item) => [keyOf(item), item]))

const textAt = (row: Row, index: number): string => row[index] ?? ''

const integerOf = (value: string | null | undefined): number | null =>
  value === null || value === undefined ? null : Number(value)

const parseList = (json: string | null | undefined): readonly string[] => JSON.parse(json ?? '[]') as readonly string[]
