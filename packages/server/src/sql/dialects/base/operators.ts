import { invalidQuery, operators, type Operator } from '@tain/contract'
import type { Parameter } from '../../../lib/parameter.ts'
import { placeholder } from '../../bind.ts'
import { compared, different, ownOperators } from '../../compared.ts'
import type { Comparison, DatabaseColumn } from '../../database-schema.ts'
import type { JsonTest, OperandEncoder, Test } from '../../dialect.ts'
import { sql, type Sql } from '../../sql.ts'
import { encodeText } from './encoders.ts'

/** Both sides of a comparison. */
export interface Side {
  readonly left: Sql
  /** The left side as text, for operators that search in it. */
  readonly text: Sql
  readonly name: string
  readonly parameter: Parameter
  readonly operand: OperandEncoder
  /** The column of the left side; null if it is something else. */
  readonly column: DatabaseColumn | null
}

/** How a text operator searches. */
export interface TextMatch {
  readonly at: 'anywhere' | 'start' | 'end'
  readonly ignoresCase: boolean
  readonly isNegated: boolean
}

export const bareValue = ({ parameter, operand, name }: Side): Sql => placeholder(parameter, operand.encode, name)

export const value = (side: Side): Sql => side.operand.cast(bareValue(side))

/** A list is one bind, so lists of any length share one statement. */
export const values = ({ parameter, operand, name }: Side): Sql =>
  operand.castList(
    placeholder(parameter, (given) => operand.encodeList(Array.isArray(given) ? given.flat() : [given]), name),
  )

const end = ({ parameter, operand, name }: Side, index: 0 | 1): Sql =>
  operand.cast(placeholder(parameter, (given) => operand.encode(Array.isArray(given) ? given[index] : null), name))

const comparing =
  (name: Comparison) =>
  (side: Side): Sql =>
    compared(side.left, name, value(side), side.column)

function between(side: Side, isNegated = false): Sql {
  const { left, column } = side
  const ends = [end(side, 0), end(side, 1)] as const
  if (ownOperators(column) === null)
    return sql`${left} ${isNegated ? sql`not between` : sql`between`} ${ends[0]} and ${ends[1]}`
  return isNegated
    ? sql`(${compared(left, '<', ends[0], column)} or ${compared(left, '>', ends[1], column)})`
    : sql`(${compared(left, '>=', ends[0], column)} and ${compared(left, '<=', ends[1], column)})`
}

/** The operand of a text operator; `write` turns the text into a pattern. */
export const searched = ({ parameter, name }: Side, write: (text: string) => string): Sql =>
  placeholder(parameter, (given) => (given === null || given === undefined ? null : write(encodeText(given, name))))

export const unsupported = (): Sql => {
  throw invalidQuery('Geometries cannot be compared in this database')
}

type Tests<S extends Side> = Readonly<Record<Operator, (side: S) => Sql>>

interface OwnTests<S extends Side> {
  readonly match: (how: TextMatch) => (side: S) => Sql
  /** The tests that a database expresses differently. */
  readonly tests?: Partial<Tests<S>>
}

export function createTests<S extends Side>({ match, tests = {} }: OwnTests<S>): Tests<S> {
  const text = (at: TextMatch['at'], ignoresCase = false) => match({ at, ignoresCase, isNegated: false })
  const notText = (at: TextMatch['at'], ignoresCase = false) => match({ at, ignoresCase, isNegated: true })
  const standard: Tests<S> = {
    _eq: comparing('='),
    _neq: (side) => different(side.left, value(side), side.column),
    _lt: comparing('<'),
    _lte: comparing('<='),
    _gt: comparing('>'),
    _gte: comparing('>='),
    _in: (side) => sql`${side.left} in ${values(side)}`,
    _nin: (side) => sql`${side.left} not in ${values(side)}`,
    _between: between,
    _nbetween: (side) => between(side, true),
    _null: ({ left }) => sql`${left} is null`,
    _nnull: ({ left }) => sql`${left} is not null`,
    _empty: (side) => sql`(${side.left} is null or ${side.text} = '')`,
    _nempty: (side) => sql`(${side.left} is not null and ${side.text} <> '')`,
    _contains: text('anywhere'),
    _ncontains: notText('anywhere'),
    _icontains: text('anywhere', true),
    _starts_with: text('start'),
    _nstarts_with: notText('start'),
    _istarts_with: text('start', true),
    _nistarts_with: notText('start', true),
    _ends_with: text('end'),
    _nends_with: notText('end'),
    _iends_with: text('end', true),
    _niends_with: notText('end', true),
    _json: unsupported,
    _intersects: unsupported,
    _nintersects: unsupported,
    _intersects_bbox: unsupported,
    _nintersects_bbox: unsupported,
  }
  return { ...standard, ...tests }
}

/** The sides of a test on a value; `left` and `text` are its forms for comparing and for searching. */
export const sideOf = ({ column, parameter, operand }: Test, left: Sql, text: Sql): Side => ({
  left,
  text,
  name: column?.name ?? 'the function',
  parameter: parameter ?? -1,
  operand,
  column: column?.column ?? null,
})

/** A value inside a document, as text and, where it is a number, as number. */
interface JsonValue {
  readonly text: Sql
  readonly number: Sql
}

/** A numeric operand compares only with stored numbers; every other operand compares as text. */
export function jsonSideOf(
  { operator, parameter, isNumeric }: JsonTest,
  { text, number }: JsonValue,
  { numberOperand, textOperand }: { numberOperand: OperandEncoder; textOperand: (name: string) => OperandEncoder },
): Side {
  const isCompared = isNumeric && operators[operator].tests !== 'null'
  return {
    left: isCompared ? number : text,
    text,
    name: '_json',
    parameter: parameter ?? -1,
    operand: isNumeric ? numberOperand : textOperand('_json'),
    column: null,
  }
}

export const keysOf = (path: unknown): string[] => (Array.isArray(path) ? path.map(String) : [])
