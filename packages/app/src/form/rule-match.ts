import type { Operator } from '@tain/contract'
import type { Row } from '../model/key.ts'
import { plainText } from '../model/plain-text.ts'

/** Null: it cannot be told here, because related rows are not loaded or only the database can compare the values. */
export type Verdict = boolean | null

/** What dynamic values such as `$CURRENT_USER` stand for. */
export type Dynamic = Readonly<Record<string, unknown>>

type Test = (value: unknown, operand: unknown) => Verdict

const text = (value: unknown): string | null =>
  value === null || value === undefined || typeof value === 'object' ? null : plainText(value)

const onText =
  (test: (value: string, operand: string) => boolean, isOpposite = false): Test =>
  (value, operand) => {
    const [left, right] = [text(value), text(operand)]
    return left === null || right === null ? false : test(left, right) !== isOpposite
  }

const onLowerText = (test: (value: string, operand: string) => boolean, isOpposite = false): Test =>
  onText((value, operand) => test(value.toLowerCase(), operand.toLowerCase()), isOpposite)

const includes = (value: string, operand: string): boolean => value.includes(operand)
const begins = (value: string, operand: string): boolean => value.startsWith(operand)
const ends = (value: string, operand: string): boolean => value.endsWith(operand)

const isNothing = (value: unknown): boolean => value === null || value === undefined
const isEmpty = (value: unknown): boolean =>
  isNothing(value) || value === '' || (Array.isArray(value) && value.length === 0)

function isEqual(value: unknown, operand: unknown): boolean {
  if (isNothing(operand)) return isNothing(value)
  if (isNothing(value)) return false
  const order = orderOf(value, operand)
  return order === null ? text(value) === text(operand) : order === 0
}

/** Numbers by size, everything else by its text; null: there is no order between them. */
function orderOf(value: unknown, operand: unknown): number | null {
  const [left, right] = [text(value), text(operand)]
  if (left === null || right === null) return null
  const [a, b] = [Number(left), Number(right)]
  if (left.trim() !== '' && right.trim() !== '' && !Number.isNaN(a) && !Number.isNaN(b)) return Math.sign(a - b)
  if (left === right) return 0
  return left < right ? -1 : 1
}

const onOrder =
  (test: (order: number) => boolean): Test =>
  (value, operand) => {
    const order = orderOf(value, operand)
    return order !== null && test(order)
  }

const listOf = (operand: unknown): readonly unknown[] => {
  if (Array.isArray(operand)) return operand as readonly unknown[]
  return typeof operand === 'string' ? operand.split(',') : [operand]
}

const isBetween: Test = (value, operand) => {
  const [low, high] = listOf(operand)
  const [lower, upper] = [orderOf(value, low), orderOf(value, high)]
  return lower !== null && upper !== null && lower >= 0 && upper <= 0
}

const flag =
  (test: (value: unknown) => boolean): Test =>
  (value, operand) =>
    test(value) === (operand !== false && operand !== 'false')

const onlyTheDatabase: Test = () => null

const tests: Readonly<Record<Operator, Test>> = {
  _eq: isEqual,
  _neq: (value, operand) => !isEqual(value, operand),
  _lt: onOrder((order) => order < 0),
  _lte: onOrder((order) => order <= 0),
  _gt: onOrder((order) => order > 0),
  _gte: onOrder((order) => order >= 0),
  _in: (value, operand) => listOf(operand).some((each) => isEqual(value, each)),
  _nin: (value, operand) => !listOf(operand).some((each) => isEqual(value, each)),
  _between: isBetween,
  _nbetween: (value, operand) => !isNothing(value) && isBetween(value, operand) === false,
  _null: flag(isNothing),
  _nnull: flag((value) => !isNothing(value)),
  _empty: flag(isEmpty),
  _nempty: flag((value) => !isEmpty(value)),
  _contains: onText(includes),
  _ncontains: onText(includes, true),
  _icontains: onLowerText(includes),
  _starts_with: onText(begins),
  _nstarts_with: onText(begins, true),
  _istarts_with: onLowerText(begins),
  _nistarts_with: onLowerText(begins, true),
  _ends_with: onText(ends),
  _nends_with: onText(ends, true),
  _iends_with: onLowerText(ends),
  _niends_with: onLowerText(ends, true),
  _json: onlyTheDatabase,
  _intersects: onlyTheDatabase,
  _nintersects: onlyTheDatabase,
  _intersects_bbox: onlyTheDatabase,
  _nintersects_bbox: onlyTheDatabase,
}

const isTest = (name: string): name is Operator => Object.hasOwn(tests, name)

/** Whether values fit a rule of the filter language, as far as it can be told from them alone. */
export function matches(rule: unknown, values: Row, dynamic: Dynamic = {}): Verdict {
  if (typeof rule !== 'object' || rule === null) return true
  return all(
    Object.entries(rule).map(([name, part]): Verdict => {
      if (name === '_and') return all(partsOf(part).map((each) => matches(each, values, dynamic)))
      if (name === '_or') return any(partsOf(part).map((each) => matches(each, values, dynamic)))
      if (name.includes('(') || name.startsWith('$')) return null
      return fieldMatches(part, values[name], dynamic)
    }),
  )
}

function fieldMatches(part: unknown, value: unknown, dynamic: Dynamic): Verdict {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return isEqual(value, known(part, dynamic))
  return all(
    Object.entries(part).map(([name, operand]): Verdict => {
      if (isTest(name)) return tests[name](value, known(operand, dynamic))
      if (name.startsWith('_')) return null
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? fieldMatches(operand, (value as Row)[name], dynamic)
        : null
    }),
  )
}

const known = (operand: unknown, dynamic: Dynamic): unknown => {
  if (Array.isArray(operand)) return operand.map((each) => known(each, dynamic))
  return typeof operand === 'string' && Object.hasOwn(dynamic, operand) ? dynamic[operand] : operand
}

const partsOf = (part: unknown): readonly unknown[] => (Array.isArray(part) ? (part as readonly unknown[]) : [part])

function all(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes(false)) return false
  return verdicts.includes(null) ? null : true
}

function any(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes(true)) return true
  return verdicts.includes(null) ? null : false
}
