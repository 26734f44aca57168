import { createHash } from 'node:crypto'
import { invalidQuery } from '@tain/contract'
import type { BoundSort } from '../query/bound.ts'
import type { DatabaseColumn } from '../sql/database-schema.ts'
import type { OperandEncoder } from '../sql/dialect.ts'
import { placeholder } from '../sql/bind.ts'
import { compared } from '../sql/compared.ts'
import { allOf, anyOf, no, sql, yes, type Sql } from '../sql/sql.ts'
import { columnOf, isInsideJson, mayBeNull, pathValue, type Plan } from './columns.ts'

/** Sort values of a row, as the database printed them. */
export type CursorValues = readonly (string | null)[]

/**
 * A place between two rows: after the row with these sort values, or before it and read backwards. Without values it is
 * the end of the list.
 */
export interface Cursor {
  readonly values: CursorValues
  readonly isBackward: boolean
  /** The row itself belongs to the page. No text of a cursor says so. */
  readonly isInclusive?: boolean
}

/** What determines the SQL text of a read from a cursor: which of its values are null, and the direction. */
export interface CursorShape {
  readonly nulls: readonly boolean[]
  readonly isBackward: boolean
  readonly isInclusive?: boolean
}

export const shapeOfCursor = ({ values, isBackward, isInclusive = false }: Cursor): CursorShape => ({
  nulls: values.map((value) => value === null),
  isBackward,
  isInclusive,
})

/** Parameter numbers from this one downwards hold cursor values. */
const FIRST_PARAMETER = -1000
const parameterOf = (index: number) => FIRST_PARAMETER - index
export const cursorIndex = (parameter: number): number | null =>
  parameter <= FIRST_PARAMETER ? FIRST_PARAMETER - parameter : null

const BACKWARD = 'backward'

const partsOf = ({ values, isBackward }: Cursor) => (isBackward ? [values, BACKWARD] : [values])

const digestOf = (sort: string, cursor: Cursor) =>
  createHash('sha256')
    .update(JSON.stringify([sort, ...partsOf(cursor)]))
    .digest('base64url')
    .slice(0, 8)

/** `sort` is any text that is equal for equal sort orders. */
export const writeCursor = (sort: string, cursor: Cursor): string =>
  Buffer.from(JSON.stringify([digestOf(sort, cursor), ...partsOf(cursor)])).toString('base64url')

export function readCursor(text: string, sort: string): Cursor {
  const damaged = () => invalidQuery('The cursor is damaged or was made for another sort')
  let content: unknown
  try {
    content = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown
  } catch {
    throw damaged()
  }
  if (!Array.isArray(content) || !Array.isArray(content[1])) throw damaged()
  const [digest, values, direction] = content as [unknown, unknown[], unknown]
  if (!values.every((value): value is string | null => value === null || typeof value === 'string')) throw damaged()
  if (direction !== undefined && direction !== BACKWARD) throw damaged()
  const cursor = { values, isBackward: direction === BACKWARD }
  if (digest !== digestOf(sort, cursor)) throw damaged()
  return cursor
}

/** The sort values that a cursor consists of, as text in full precision. */
export const cursorColumns = (sort: readonly BoundSort[], source: string, plan: Plan): Sql[] =>
  sort.flatMap((term) =>
    term.kind === 'path'
      ? [plan.dialect.cursor.text(pathValue(term.path, source, term.descending, plan), columnOf(term.path.value))]
      : [],
  )

/**
 * Rows after the cursor: `a >= x and (a > x or (b >= y and …))`. The first comparison can use an index, which a plain
 * OR could not. Which values are null is part of the shape, because null sorts as the largest value. Backwards, the
 * order is the opposite one, but of the same values: of several related rows, the sort order chooses one.
 */
export function afterCursor(
  sort: readonly BoundSort[],
  { nulls, isBackward, isInclusive }: CursorShape,
  source: string,
  plan: Plan,
): Sql {
  if (nulls.length === 0) return yes
  return sort.reduceRight<Sql>((rest, term, index) => {
    if (term.kind !== 'path') return rest
    const expression = pathValue(term.path, source, term.descending, plan)
    const { isAfter, isSame, notBefore } = compare(
      expression,
      { ...term, descending: term.descending !== isBackward },
      parameterOf(index),
      nulls[index] ?? false,
      plan,
    )
    if (index === sort.length - 1) return isInclusive === true ? (notBefore ?? anyOf([isAfter, isSame])) : isAfter
    const choice = anyOf([isAfter, allOf([isSame, rest])])
    return notBefore === null ? choice : allOf([notBefore, choice])
  }, no)
}

export type SortPath = BoundSort & { kind: 'path' }

/** Rows whose sort value is not null and not before the one of the parameter. */
export function fromValue(term: SortPath, parameter: number, source: string, plan: Plan): Sql {
  const expression = pathValue(term.path, source, term.descending, plan)
  const value = valueOfCursor(term, parameter, plan)
  return compared(expression, term.descending ? '<=' : '>=', value, comparedAs(term))
}

const comparedAs = ({ path }: SortPath): DatabaseColumn | null => columnOf(path.value)?.column ?? null

interface Comparison {
  readonly isAfter: Sql
  readonly isSame: Sql
  /** A redundant condition that allows an index range scan; null where it does not apply. */
  readonly notBefore: Sql | null
}

function compare(expression: Sql, term: SortPath, parameter: number, isNull: boolean, plan: Plan): Comparison {
  if (isNull) {
    const isAfter = term.descending ? sql`${expression} is not null` : no
    return { isAfter, isSame: sql`${expression} is null`, notBefore: null }
  }
  const stored = columnOf(term.path.value)
  const value = valueOfCursor(term, parameter, plan)
  const to = (name: '=' | '<' | '<=' | '>' | '>=') => compared(expression, name, value, comparedAs(term))
  const isSame = to('=')
  const isColumn = stored !== null && term.path.steps.length === 0
  if (term.descending) {
    return { isAfter: to('<'), isSame, notBefore: isColumn ? to('<=') : null }
  }
  const isLarger = to('>')
  if (mayBeNull(term.path)) return { isAfter: anyOf([isLarger, sql`${expression} is null`]), isSame, notBefore: null }
  return { isAfter: isLarger, isSame, notBefore: to('>=') }
}

function valueOfCursor({ path }: SortPath, parameter: number, { dialect }: Plan): Sql {
  const stored = columnOf(path.value)
  const { operandOf, numberOperand, jsonOperand, cursor } = dialect
  const ofFunction = isInsideJson(path.value) ? jsonOperand : numberOperand
  const operand: OperandEncoder = stored === null ? ofFunction : operandOf(stored)
  return cursor.value(
    placeholder(parameter, (text) => (typeof text === 'string' ? text : null)),
    operand,
  )
}
