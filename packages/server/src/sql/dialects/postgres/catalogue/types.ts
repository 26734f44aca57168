import type { DatabaseColumn, OwnNames } from '../../../database-schema.ts'
import type { Row } from '../../../driver.ts'
import { integerOf, parseList, textAt } from './row.ts'

/** The properties that all columns of one type share; computed once per type. */
export interface ColumnType extends Pick<
  DatabaseColumn,
  'dataType' | 'castType' | 'baseType' | 'enumValues' | 'elementType' | 'isComparable' | 'ownNames'
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
  const [, baseType, dataType, castType, base, modifier, notNull, defaultExpression, element, labels, order, own] = row
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
    ...comparisonOf(order === 't', own ?? null),
  }
}

/** A type without an order is compared as text. */
function comparisonOf(isOrdered: boolean, own: string | null): Pick<ColumnType, 'isComparable' | 'ownNames'> {
  if (own === null) return { isComparable: isOrdered }
  const { schema, operators, aggregates } = JSON.parse(own) as OwnNames
  return { isComparable: isOrdered, ownNames: { schema, operators: isOrdered ? operators : null, aggregates } }
}

export type Types = ReadonlyMap<string, ColumnType>

export function typesOf(rows: readonly Row[]): Types {
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
export const undefinedType: ColumnType = {
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
