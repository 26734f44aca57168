import type { Parameter } from '../../../lib/parameter.ts'
import { operators, type FieldType } from '@tain/contract'
import { placeholder } from '../../bind.ts'
import type { DatabaseColumn } from '../../database-schema.ts'
import type { JsonTest, OperandEncoder, Test, TypedColumn } from '../../dialect.ts'
import { sql, type Sql } from '../../sql.ts'
import { createTests, jsonSideOf, keysOf, searched, sideOf, type TextMatch } from '../base/operators.ts'
import { lowerCase } from './letters.ts'
import { moment } from './moments.ts'
import { numberOperand, textOperand } from './operands.ts'

const asIs = (text: string) => text

/** LIKE ignores case here, so plain functions search in texts. */
const found: Readonly<Record<TextMatch['at'], (text: Sql, term: Sql) => Sql>> = {
  anywhere: (text, term) => sql`instr(${text}, ${term}) > 0`,
  start: (text, term) => sql`substr(${text}, 1, length(${term})) = ${term}`,
  end: (text, term) =>
    sql`substr(${text}, length(${text}) - length(${term}) + 1) = ${term} and length(${text}) >= length(${term})`,
}

const tests = createTests({
  match:
    ({ at, ignoresCase, isNegated }) =>
    (side) => {
      const text = ignoresCase ? sql`tain_lower(${side.text})` : side.text
      const isFound = found[at](text, searched(side, ignoresCase ? lowerCase : asIs))
      return isNegated ? sql`not (${isFound})` : sql`(${isFound})`
    },
})

const texts = new Set(['text', 'varchar', 'uuid', 'json', 'date'])

const isText = ({ column }: TypedColumn) => texts.has(column.baseType)

export const textOf = (left: Sql, column: TypedColumn): Sql => (isText(column) ? left : sql`tain_text(${left})`)

/** Types with several text forms, whose values are compared in one form. */
const comparable: Partial<Record<FieldType, (left: Sql, column: DatabaseColumn) => Sql>> = {
  timestamp: moment,
  dateTime: (left) => sql`tain_datetime(${left})`,
  time: (left) => sql`tain_time(${left})`,
  decimal: (left, { baseType }) => (baseType === 'decimal_text' ? sql`tain_number(${left})` : left),
}

export const comparableOf = (left: Sql, { type, column }: TypedColumn): Sql => comparable[type]?.(left, column) ?? left

/**
 * Values without a declared type are compared by their storage class. An operand has no storage class: it counts as a
 * number if it looks like one and is compared with one, and as text otherwise.
 */
const byClass = (left: Sql, operand: OperandEncoder): OperandEncoder => ({
  ...operand,
  cast: (placeholder) => sql`iif(typeof(${left}) in ('integer', 'real'), tain_scalar(${placeholder}), ${placeholder})`,
  castList: (placeholder) =>
    sql`(select value from json_each(${placeholder}) union all select tain_scalar(value) from json_each(${placeholder}))`,
})

export function test(given: Test): Sql {
  const { left, column, operator, operand } = given
  const compared = column === null || operators[operator].tests === 'null' ? left : comparableOf(left, column)
  const side = sideOf(given, compared, column === null ? left : textOf(left, column))
  return tests[operator](column?.type === 'unknown' ? { ...side, operand: byClass(left, operand) } : side)
}

export const jsonPath = (parameter: Parameter): Sql => placeholder(parameter, (given) => JSON.stringify(keysOf(given)))

export function testJson(given: JsonTest): Sql {
  const path = jsonPath(given.path)
  const text = sql`tain_text_at(${given.left}, ${path})`
  const number = sql`cast(tain_number_at(${given.left}, ${path}) as numeric)`
  return tests[given.operator](jsonSideOf(given, { text, number }, { numberOperand, textOperand }))
}
