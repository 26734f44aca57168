import { isOperator, operators, type Operator } from '@tain/contract'
import { PatternError, patternOf } from '../lib/pattern.ts'

/** A condition that is false or unknown. */
export interface Broken {
  /** null: no value meets the rule, because it is invalid or an `_or` without branches. */
  readonly field: string | null
  readonly operator: string
  /** The operand in the rule; undefined for a variable, because the caller may not be allowed to see its value. */
  readonly operand: unknown
}

type Values = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isLong = (value: unknown): boolean => typeof value === 'string' && /^-?\d{16,40}$/u.test(value)
const isWhole = (value: unknown): value is string | number =>
  isLong(value) || Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d{1,15}$/u.test(value))

/** Compares numbers as numbers, even if given as text, and everything else as text. */
function compare(left: unknown, right: unknown): number {
  // A double does not hold all their digits.
  if ((isLong(left) || isLong(right)) && isWhole(left) && isWhole(right)) return Number(BigInt(left) - BigInt(right))
  const numbers = [Number(left), Number(right)] as const
  const areNumbers = left !== '' && right !== '' && numbers.every((number) => Number.isFinite(number))
  if (areNumbers) return numbers[0] - numbers[1]
  return String(left) < String(right) ? -1 : String(left) > String(right) ? 1 : 0
}

const same = (left: unknown, right: unknown) =>
  left === null || right === null ? left === right : compare(left, right) === 0
const listOf = (operand: unknown): readonly unknown[] => (Array.isArray(operand) ? operand : String(operand).split(','))
const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
const lower = (value: unknown) => String(value).toLowerCase()
/** The same operands as in filters. */
const isFalse = (operand: unknown) => operand === false || operand === 'false' || operand === 0 || operand === '0'
const wants = (operand: unknown, isMet: boolean) => (isFalse(operand) ? !isMet : isMet)

/** An invalid pattern matches nothing. */
function matches(text: string, pattern: string): boolean {
  try {
    return patternOf(pattern).test(text)
  } catch (error) {
    if (error instanceof PatternError) return false
    throw error
  }
}

type Evaluation = (value: unknown, operand: unknown) => boolean

type TextTest = (text: string, wanted: string) => boolean

const contains: TextTest = (text, wanted) => text.includes(wanted)
const startsWith: TextTest = (text, wanted) => text.startsWith(wanted)
const endsWith: TextTest = (text, wanted) => text.endsWith(wanted)

const text =
  (test: TextTest): Evaluation =>
  (value, operand) =>
    test(String(value), String(operand))
const textInAnyCase =
  (test: TextTest): Evaluation =>
  (value, operand) =>
    test(lower(value), lower(operand))
const not =
  (evaluation: Evaluation): Evaluation =>
  (value, operand) =>
    !evaluation(value, operand)

const isIn: Evaluation = (value, operand) => listOf(operand).some((entry) => same(value, entry))
const isBetween: Evaluation = (value, operand) =>
  compare(value, listOf(operand)[0]) >= 0 && compare(value, listOf(operand)[1]) <= 0

/** How each operator tests a value that is about to be written; null for operators that only the database evaluates. */
const evaluations: Readonly<Record<Operator, Evaluation | null>> = {
  _eq: same,
  _neq: not(same),
  _lt: (value, operand) => compare(value, operand) < 0,
  _lte: (value, operand) => compare(value, operand) <= 0,
  _gt: (value, operand) => compare(value, operand) > 0,
  _gte: (value, operand) => compare(value, operand) >= 0,
  _in: isIn,
  _nin: not(isIn),
  _between: isBetween,
  _nbetween: not(isBetween),
  _null: (value, operand) => wants(operand, value === null),
  _nnull: (value, operand) => wants(operand, value !== null),
  _empty: (value, operand) => wants(operand, isEmpty(value)),
  _nempty: (value, operand) => wants(operand, !isEmpty(value)),
  _contains: text(contains),
  _ncontains: not(text(contains)),
  _icontains: textInAnyCase(contains),
  _starts_with: text(startsWith),
  _nstarts_with: not(text(startsWith)),
  _istarts_with: textInAnyCase(startsWith),
  _nistarts_with: not(textInAnyCase(startsWith)),
  _ends_with: text(endsWith),
  _nends_with: not(text(endsWith)),
  _iends_with: textInAnyCase(endsWith),
  _niends_with: not(textInAnyCase(endsWith)),
  _json: null,
  _intersects: null,
  _nintersects: null,
  _intersects_bbox: null,
  _nintersects_bbox: null,
}

interface RuleOperator {
  readonly evaluation: Evaluation
  readonly testsNull: boolean
  readonly negates: boolean
}

function ruleOperator(name: string): RuleOperator | null {
  // A pattern is no filter: databases differ in what it means.
  if (name === '_regex')
    return { evaluation: (value, pattern) => matches(String(value), String(pattern)), testsNull: false, negates: false }
  if (!isOperator(name)) return null
  const evaluation = evaluations[name]
  const row = operators[name]
  const testsNull = row.operand === 'flag' || (row.operand === 'value' && row.withNull !== null)
  return evaluation === null ? null : { evaluation, testsNull, negates: row.negates }
}

export const isRuleOperator = (name: string): boolean => ruleOperator(name) !== null

/** How rules are evaluated: leniently for a field's own rules, strictly for permissions. */
export interface Reading {
  /** The value of an operand; undefined if it has none, and then the condition is not met. */
  readonly resolve: (operand: unknown) => unknown
  /** Whether an operand is a literal in the rule rather than a variable. */
  readonly isLiteral: (operand: unknown) => boolean
  /** Positive operators reject null if strict and accept it if lenient, except null, empty and equality tests. */
  readonly isStrict: boolean
  /**
   * A condition on a field that is not written is unknown, so it fails. `written` skips the parts of the rule, split at
   * `_and`, that name no written field, because the row keeps its values there.
   */
  readonly asks: 'everything' | 'written'
  /** Fields whose values will be known later; parts of the rule that name one are skipped until then. */
  readonly pending: ReadonlySet<string>
  /** Whether the field exists. */
  readonly isField: (name: string) => boolean
}

const none: ReadonlySet<string> = new Set()

export const lenient: Reading = {
  resolve: (operand) => operand,
  isLiteral: () => true,
  isStrict: false,
  asks: 'written',
  pending: none,
  isField: () => true,
}

/** The result for a rule that can never be met. */
const unreadable = (group: string): Broken[] => [{ field: null, operator: group, operand: undefined }]

/** Evaluates a rule in filter syntax against values that are about to be written. */
export function evaluate(rule: unknown, values: Values, reading: Reading = lenient): Broken[] {
  return partsOf(rule).flatMap((part) => (isAsked(part, values, reading) ? broken(part, values, reading) : []))
}

/** Splits a rule into the parts that all have to hold. */
function partsOf(rule: unknown): unknown[] {
  if (!isObject(rule)) return rule === null || rule === undefined ? [] : [rule]
  return Object.entries(rule).flatMap(([key, inner]) =>
    key === '_and' && Array.isArray(inner) ? inner.flatMap(partsOf) : [{ [key]: inner }],
  )
}

function isAsked(part: unknown, values: Values, { asks, pending, isField }: Reading): boolean {
  const names = fieldsOf(part)
  if (names.some((name) => pending.has(name))) return false
  return (
    asks === 'everything' ||
    names.length === 0 ||
    !names.every(isField) ||
    names.some((name) => Object.hasOwn(values, name))
  )
}

/** Fields that a rule names. An invalid part counts as a field, so that it is not skipped. */
export function fieldsOf(rule: unknown): string[] {
  if (!isObject(rule)) return ['']
  return Object.entries(rule).flatMap(([key, inner]) =>
    (key === '_and' || key === '_or') && Array.isArray(inner)
      ? inner.flatMap(fieldsOf)
      : hasNoOperator(inner)
        ? ['', key]
        : [key],
  )
}

export const hasNoOperator = (tests: unknown): boolean => isObject(tests) && Object.keys(tests).length === 0

/** The conditions that make the rule false or unknown. */
function broken(rule: unknown, values: Values, reading: Reading): Broken[] {
  if (!isObject(rule)) return unreadable('rule')
  return Object.entries(rule).flatMap(([key, inner]) => {
    if (key === '_and' || key === '_or') {
      if (!Array.isArray(inner)) return unreadable(key)
      const outcomes = inner.map((part) => broken(part, values, reading))
      if (key === '_and') return outcomes.flat()
      return outcomes.some((outcome) => outcome.length === 0) ? [] : (outcomes[0] ?? unreadable(key))
    }
    if (!reading.isField(key) || hasNoOperator(inner)) return unreadable(key)
    if (!Object.hasOwn(values, key)) return [{ field: key, operator: '_required', operand: undefined }]
    return evaluateField(key, inner, values[key], reading)
  })
}

function evaluateField(field: string, rule: unknown, value: unknown, reading: Reading): Broken[] {
  const { resolve, isLiteral, isStrict } = reading
  const tests = isObject(rule) ? rule : { _eq: rule }
  return Object.entries(tests).flatMap(([operator, written]) => {
    const operand = resolve(written)
    const test = ruleOperator(operator)
    const asWritten = isLiteral(written) ? written : undefined
    // An invalid rule rejects the value; skipping it would accept everything.
    if (test === null || operand === undefined) return [{ field, operator, operand: asWritten }]
    // Null passes negative operators and, in strict mode, fails positive ones.
    const isMet = value !== null || test.testsNull ? test.evaluation(value, operand) : !isStrict || test.negates
    return isMet ? [] : [{ field, operator, operand: asWritten }]
  })
}
