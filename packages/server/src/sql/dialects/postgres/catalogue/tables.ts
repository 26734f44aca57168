import type { DatabaseColumn, DatabaseForeignKey, DatabaseTable, ReferentialAction } from '../../../database-schema.ts'
import type { Row } from '../../../driver.ts'
import { indexColumns, type CatalogueIndex } from '../../base/index-columns.ts'
import type { Intern } from '../intern.ts'
import type { TableColumns } from './columns.ts'
import type { Relation } from './relations.ts'
import { parseList } from './row.ts'

export interface TableParts {
  readonly columns: ReadonlyMap<string, TableColumns>
  readonly indexes: ReadonlyMap<string, readonly Row[]>
  readonly foreignKeys: ReadonlyMap<string, readonly Row[]>
  readonly systemSchema: string
  readonly triggered: ReadonlySet<string>
  readonly byId: ReadonlyMap<string, Relation>
  readonly intern: Intern
}

const none: readonly never[] = Object.freeze([])
const noColumns: TableColumns = { list: [], nameByNumber: new Map() }

export function tableOf(relation: Relation, parts: TableParts): DatabaseTable {
  const { list, nameByNumber } = parts.columns.get(relation.id) ?? noColumns
  const indexes = (parts.indexes.get(relation.id) ?? none).map((row) => indexOf(row, nameByNumber))
  const { uniques, indexed } = indexColumns(indexes)

  return {
    schema: relation.schema,
    name: relation.name,
    kind: relation.kind,
    comment: relation.comment,
    columns: list,
    ...(relation.hasChildren ? { beyondKey: places } : {}),
    primaryKey: indexes.find(({ isPrimary }) => isPrimary)?.columns ?? none,
    uniques: orNone(uniques),
    indexed: orNone(indexed),
    foreignKeys: orNone(
      (parts.foreignKeys.get(relation.id) ?? none).flatMap((row) => foreignKeyOf(row, nameByNumber, parts)),
    ),
    isPartlyReadable: relation.readability === 'some',
    hasInsertTrigger: parts.triggered.has(relation.id),
    privileges: relation.privileges,
  }
}

const systemColumn = (name: string, type: string): DatabaseColumn => ({
  name,
  dataType: type,
  castType: type,
  baseType: type,
  enumValues: null,
  elementType: null,
  isComparable: true,
  isNullable: false,
  defaultExpression: null,
  maxLength: null,
  numericPrecision: null,
  numericScale: null,
  generationExpression: null,
  identity: null,
  hasAutoIncrement: false,
  comment: null,
})

/** Where a row is stored: its own table, and its place there, since a child need not have the key of its parent. */
const places = [systemColumn('tableoid', 'oid'), systemColumn('ctid', 'tid')]

interface Index extends CatalogueIndex {
  readonly isPrimary: boolean
}

function indexOf(row: Row, nameByNumber: ReadonlyMap<string, string>): Index {
  const [, keys, keyCount, isPrimary, isUnique, isPlain] = row
  // INCLUDE columns follow the key columns
  const numbers = (keys ?? '').split(' ').slice(0, Number(keyCount))
  return {
    isPrimary: isPrimary === 'true',
    isUnique: isUnique === 'true',
    columns: isPlain === 'true' ? namesOf(numbers, nameByNumber) : null,
    leading: nameByNumber.get(numbers[0] ?? '') ?? null,
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
  parts: TableParts,
): readonly DatabaseForeignKey[] {
  const [, name, numbers, , , onUpdate, onDelete] = row
  const target = targetOf(row, parts)
  const columns = namesOf((numbers ?? '').split(' '), nameByNumber)
  if (target === null || columns === null) return none
  return [
    { name: parts.intern(name ?? ''), columns, ...target, onUpdate: actionOf(onUpdate), onDelete: actionOf(onDelete) },
  ]
}

type Target = Pick<DatabaseForeignKey, 'toSchema' | 'toTable' | 'toColumns'>

/** null if the role cannot read it. */
function targetOf(
  [, , , id, numbers, , , ownTable, ownColumns]: Row,
  { columns: columnsById, byId, systemSchema, intern }: TableParts,
): Target | null {
  if (ownTable != null)
    return { toSchema: intern(systemSchema), toTable: intern(ownTable), toColumns: parseList(ownColumns).map(intern) }
  const target = byId.get(id ?? '')
  const names = columnsById.get(id ?? '')?.nameByNumber
  const toColumns = names === undefined ? null : namesOf((numbers ?? '').split(' '), names)
  return target === undefined || toColumns === null
    ? null
    : { toSchema: target.schema, toTable: target.name, toColumns }
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

const orNone = <T>(list: readonly T[]): readonly T[] => (list.length === 0 ? none : list)
