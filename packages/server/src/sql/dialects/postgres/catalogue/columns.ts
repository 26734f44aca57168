import type { DatabaseColumn } from '../../../database-schema.ts'
import type { Row } from '../../../driver.ts'
import type { Intern } from '../intern.ts'
import { integerOf, textAt } from './row.ts'
import { undefinedType, type ColumnType, type Types } from './types.ts'

export interface TableColumns {
  readonly list: DatabaseColumn[]
  readonly nameByNumber: Map<string, string>
}

interface FoundColumns {
  readonly columns: ReadonlyMap<string, TableColumns>
  readonly hidden: readonly { readonly id: string; readonly name: string }[]
}

export function columnsOf(rows: readonly Row[], types: Types, intern: Intern): FoundColumns {
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
    ...(type.ownNames === undefined ? {} : { ownNames: type.ownNames }),
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
