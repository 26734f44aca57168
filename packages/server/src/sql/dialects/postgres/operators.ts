import type { Parameter } from '../../../lib/parameter.ts'
import { invalidQuery, type Operator } from '@tain/contract'
import { placeholder } from '../../bind.ts'
import type { JsonTest, OperandEncoder, Test, TypedColumn } from '../../dialect.ts'
import { sql, type Sql } from '../../sql.ts'
import { numberOperand, textOperand } from './operands.ts'

interface Side {
  readonly left: Sql
  /** The left side as text, for operators that compare text. */
  readonly text: Sql
  readonly name: string
  readonly parameter: Parameter
  readonly operand: OperandEncoder
}

const value = ({ parameter, operand, name }: Side): Sql => operand.cast(placeholder(parameter, operand.encode, name))

/** A whole list is one bind value, so lists of any length share one statement. */
const values = ({ parameter, operand, name }: Side): Sql =>
  operand.castList(
    placeholder(parameter, (given) => operand.encodeList(Array.isArray(given) ? given.flat() : [given]), name),
  )

const end = ({ parameter, operand, name }: Side, index: 0 | 1): Sql =>
  operand.cast(placeholder(parameter, (given) => operand.encode(Array.isArray(given) ? given[index] : null), name))

const escapeLike = (text: string) => text.replace(/[\\%_]/gu, '\\$&')

const pattern = ({ parameter, name }: Side, wrap: (text: string) => string): Sql => {
  const { encode, cast } = textOperand(name)
  return cast(
    placeholder(parameter, (given) => {
      const text = encode(given)
      return typeof text === 'string' ? wrap(escapeLike(text)) : null
    }),
  )
}

const inside = (text: string) => `%${text}%`
const leading = (text: string) => `${text}%`
const trailing = (text: string) => `%${text}`

const like = (wrap: (text: string) => string) => (side: Side) => sql`${side.text} like ${pattern(side, wrap)}`
const notLike = (wrap: (text: string) => string) => (side: Side) => sql`${side.text} not like ${pattern(side, wrap)}`
const likeAnyCase = (wrap: (text: string) => string) => (side: Side) =>
  sql`lower(${side.text}) like lower(${pattern(side, wrap)})`
const notLikeAnyCase = (wrap: (text: string) => string) => (side: Side) =>
  sql`lower(${side.text}) not like lower(${pattern(side, wrap)})`

const unsupported = (): Sql => {
  throw invalidQuery('Geometries cannot be compared in this database')
}

const intersects = (side: Side) =>
  sql`st_intersects(${side.left}, st_geomfromgeojson(${pattern({ ...side }, (text) => text)}))`

const tests: Readonly<Record<Operator, (side: Side) => Sql>> = {
  _eq: (side) => sql`${side.left} = ${value(side)}`,
  _neq: (side) => sql`${side.left} <> ${value(side)}`,
  _lt: (side) => sql`${side.left} < ${value(side)}`,
  _lte: (side) => sql`${side.left} <= ${value(side)}`,
  _gt: (side) => sql`${side.left} > ${value(side)}`,
  _gte: (side) => sql`${side.left} >= ${value(side)}`,
  _in: (side) => sql`${side.left} = any(${values(side)})`,
  _nin: (side) => sql`${side.left} <> all(${values(side)})`,
  _between: (side) => sql`${side.left} between ${end(side, 0)} and ${end(side, 1)}`,
  _nbetween: (side) => sql`${side.left} not between ${end(side, 0)} and ${end(side, 1)}`,
  _null: ({ left }) => sql`${left} is null`,
  _nnull: ({ left }) => sql`${left} is not null`,
  _empty: ({ left, text }) => sql`(${left} is null or ${text} = '')`,
  _nempty: ({ left, text }) => sql`(${left} is not null and ${text} <> '')`,
  _contains: like(inside),
  _ncontains: notLike(inside),
  _icontains: likeAnyCase(inside),
  _starts_with: like(leading),
  _nstarts_with: notLike(leading),
  _istarts_with: likeAnyCase(leading),
  _nistarts_with: notLikeAnyCase(leading),
  _ends_with: like(trailing),
  _nends_with: notLike(trailing),
  _iends_with: likeAnyCase(trailing),
  _niends_with: notLikeAnyCase(trailing),
  _json: unsupported,
  _intersects: intersects,
  _nintersects: (side) => sql`not ${intersects(side)}`,
  _intersects_bbox: unsupported,
  _nintersects_bbox: unsupported,
}

const texts = new Set(['text', 'varchar', 'bpchar'])

export const isText = ({ column }: TypedColumn) => texts.has(column.baseType)

export const textOf = (left: Sql, column: TypedColumn): Sql => (isText(column) ? left : sql`${left}::text`)

/** Types without equality and ordering operators (xml, point, …) are compared as text. */
const comparableOf = (left: Sql, column: TypedColumn): Sql => (column.column.isComparable ? left : sql`${left}::text`)

export function test({ left, column, operator, parameter, operand }: Test): Sql {
  return tests[operator]({
    left: column === null || operator === '_null' || operator === '_nnull' ? left : comparableOf(left, column),
    text: column === null ? left : textOf(left, column),
    name: column?.name ?? 'the function',
    parameter: parameter ?? -1,
    operand,
  })
}

const keysOf = (given: unknown) => (Array.isArray(given) ? given.map(String) : [])

export const jsonPath = (parameter: Parameter): Sql => sql`${placeholder(parameter, keysOf)}::text[]`

/** A numeric operand compares only with stored numbers; every other operand compares as text. */
export function testJson({ left, path, operator, parameter, isNumeric }: JsonTest): Sql {
  const document = sql`${left}::jsonb`
  const text = sql`(${document} #>> ${jsonPath(path)})`
  const number = sql`(case when jsonb_typeof(${document} #> ${jsonPath(path)}) = 'number' then ${text}::numeric end)`
  const compared = isNumeric && operator !== '_null' && operator !== '_nnull' ? number : text
  const operand = isNumeric ? numberOperand : textOperand('_json')
  return tests[operator]({ left: compared, text, name: '_json', parameter: parameter ?? -1, operand })
}
