import { invalidQuery, type Operator } from '@tain/contract'
import type { Parameter } from '../../../lib/parameter.ts'
import { placeholder } from '../../bind.ts'
import type { JsonTest, OperandEncoder, Test, TypedColumn } from '../../dialect.ts'
import { sql, type Sql } from '../../sql.ts'
import { lowerCase } from './letters.ts'
import { numberOperand, textOperand } from './operands.ts'

interface Side {
  readonly left: Sql
  /** The left side as text, for operators that search in it. */
  readonly text: Sql
  readonly name: string
  readonly parameter: Parameter
  readonly operand: OperandEncoder
}

const value = ({ parameter, operand, name }: Side): Sql => operand.cast(placeholder(parameter, operand.encode, name))

/** A list is one bind, so lists of any length have one shape. */
const values = ({ parameter, operand, name }: Side): Sql =>
  operand.castList(
    placeholder(parameter, (given) => operand.encodeList(Array.isArray(given) ? given.flat() : [given]), name),
  )

const end = ({ parameter, operand, name }: Side, index: 0 | 1): Sql =>
  operand.cast(placeholder(parameter, (given) => operand.encode(Array.isArray(given) ? given[index] : null), name))

const term = ({ parameter, name }: Side, fold: (text: string) => string): Sql => {
  const { encode } = textOperand(name)
  return placeholder(parameter, (given) => {
    const text = encode(given)
    return typeof text === 'string' ? fold(text) : null
  })
}

/** LIKE ignores case here, so plain functions search in texts. */
type Look = (text: Sql, term: Sql) => Sql

const inside: Look = (text, wanted) => sql`instr(${text}, ${wanted}) > 0`
const leading: Look = (text, wanted) => sql`substr(${text}, 1, length(${wanted})) = ${wanted}`
const trailing: Look = (text, wanted) =>
  sql`substr(${text}, length(${text}) - length(${wanted}) + 1) = ${wanted} and length(${text}) >= length(${wanted})`

const same = (text: string) => text
const look = (how: Look) => (side: Side) => sql`(${how(side.text, term(side, same))})`
const notLook = (how: Look) => (side: Side) => sql`not (${how(side.text, term(side, same))})`
const lookAnyCase = (how: Look) => (side: Side) => sql`(${how(sql`tain_lower(${side.text})`, term(side, lowerCase))})`
const notLookAnyCase = (how: Look) => (side: Side) =>
  sql`not (${how(sql`tain_lower(${side.text})`, term(side, lowerCase))})`

const unsupported = (): Sql => {
  throw invalidQuery('Geometries cannot be compared in this database')
}

const tests: Readonly<Record<Operator, (side: Side) => Sql>> = {
  _eq: (side) => sql`${side.left} = ${value(side)}`,
  _neq: (side) => sql`${side.left} <> ${value(side)}`,
  _lt: (side) => sql`${side.left} < ${value(side)}`,
  _lte: (side) => sql`${side.left} <= ${value(side)}`,
  _gt: (side) => sql`${side.left} > ${value(side)}`,
  _gte: (side) => sql`${side.left} >= ${value(side)}`,
  _in: (side) => sql`${side.left} in ${values(side)}`,
  _nin: (side) => sql`${side.left} not in ${values(side)}`,
  _between: (side) => sql`${side.left} between ${end(side, 0)} and ${end(side, 1)}`,
  _nbetween: (side) => sql`${side.left} not between ${end(side, 0)} and ${end(side, 1)}`,
  _null: ({ left }) => sql`${left} is null`,
  _nnull: ({ left }) => sql`${left} is not null`,
  _empty: ({ left, text }) => sql`(${left} is null or ${text} = '')`,
  _nempty: ({ left, text }) => sql`(${left} is not null and ${text} <> '')`,
  _contains: look(inside),
  _ncontains: notLook(inside),
  _icontains: lookAnyCase(inside),
  _starts_with: look(leading),
  _nstarts_with: notLook(leading),
  _istarts_with: lookAnyCase(leading),
  _nistarts_with: notLookAnyCase(leading),
  _ends_with: look(trailing),
  _nends_with: notLook(trailing),
  _iends_with: lookAnyCase(trailing),
  _niends_with: notLookAnyCase(trailing),
  _json: unsupported,
  _intersects: unsupported,
  _nintersects: unsupported,
  _intersects_bbox: unsupported,
  _nintersects_bbox: unsupported,
}

const texts = new Set(['text', 'varchar', 'uuid', 'json', 'date'])

const isText = ({ column }: TypedColumn) => texts.has(column.baseType)

export const textOf = (left: Sql, column: TypedColumn): Sql => (isText(column) ? left : sql`tain_text(${left})`)

/** Values of types with several text forms are compared in one form. */
export function comparableOf(left: Sql, column: TypedColumn): Sql {
  switch (column.type) {
    case 'timestamp':
      return sql`tain_moment(${left})`
    case 'dateTime':
      return sql`tain_datetime(${left})`
    case 'time':
      return sql`tain_time(${left})`
    case 'decimal':
      return column.column.baseType === 'decimal_text' ? sql`tain_number(${left})` : left
    default:
      return left
  }
}

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

export function test({ left, column, operator, parameter, operand }: Test): Sql {
  return tests[operator]({
    left: column === null || operator === '_null' || operator === '_nnull' ? left : comparableOf(left, column),
    text: column === null ? left : textOf(left, column),
    name: column?.name ?? 'the function',
    parameter: parameter ?? -1,
    operand: column?.type === 'unknown' ? byClass(left, operand) : operand,
  })
}

const keysOf = (given: unknown) => JSON.stringify(Array.isArray(given) ? given.map(String) : [])

export const jsonPath = (parameter: Parameter): Sql => placeholder(parameter, keysOf)

/** Numbers compare as numbers where the stored value is a number. Everything else compares as text. */
export function testJson({ left, path, operator, parameter, isNumeric }: JsonTest): Sql {
  const text = sql`tain_text_at(${left}, ${jsonPath(path)})`
  const number = sql`cast(tain_number_at(${left}, ${jsonPath(path)}) as numeric)`
  const compared = isNumeric && operator !== '_null' && operator !== '_nnull' ? number : text
  const operand = isNumeric ? numberOperand : textOperand('_json')
  return tests[operator]({ left: compared, text, name: '_json', parameter: parameter ?? -1, operand })
}
