import type { Parameter } from '../../../lib/parameter.ts'
import { operators } from '@tain/contract'
import { placeholder } from '../../bind.ts'
import { comparison, different, ownOperators } from '../../compared.ts'
import type { JsonTest, Test, TypedColumn } from '../../dialect.ts'
import { sql, type Sql } from '../../sql.ts'
import { intersects, matchLike } from '../base/like.ts'
import { createTests, jsonSideOf, keysOf, sideOf, values } from '../base/operators.ts'
import { numberOperand, textOperand } from './operands.ts'

const asText = (pattern: Sql): Sql => sql`${pattern}::text`

const tests = createTests({
  match: matchLike(asText),
  tests: {
    _in: (side) => sql`${side.left} ${comparison('=', side.column)} any(${values(side)})`,
    _nin: (side) =>
      ownOperators(side.column) === null
        ? sql`${side.left} <> all(${values(side)})`
        : different(side.left, sql`any(${values(side)})`, side.column),
    ...intersects(asText),
  },
})

const texts = new Set(['text', 'varchar', 'bpchar'])

export const isText = ({ column }: TypedColumn) => texts.has(column.baseType)

export const textOf = (left: Sql, column: TypedColumn): Sql => (isText(column) ? left : sql`${left}::text`)

/** Types without equality and ordering operators (xml, point, …) are compared as text. */
const comparableOf = (left: Sql, column: TypedColumn): Sql => (column.column.isComparable ? left : sql`${left}::text`)

export function test(given: Test): Sql {
  const { left, column, operator } = given
  const compared = column === null || operators[operator].tests === 'null' ? left : comparableOf(left, column)
  return tests[operator](sideOf(given, compared, column === null ? left : textOf(left, column)))
}

export const jsonPath = (parameter: Parameter): Sql => sql`${placeholder(parameter, keysOf)}::text[]`

export function testJson(given: JsonTest): Sql {
  const document = sql`${given.left}::jsonb`
  const path = jsonPath(given.path)
  const text = sql`(${document} #>> ${path})`
  const number = sql`(case when jsonb_typeof(${document} #> ${path}) = 'number' then ${text}::numeric end)`
  return tests[given.operator](jsonSideOf(given, { text, number }, { numberOperand, textOperand }))
}
