/** A rule that was not met: the field, the operator's name, and what it wanted. */
export interface Broken {
  readonly field: string
  readonly operator: string
  readonly operand: unknown
}

type Values = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Numbers compare as numbers also when they are written as text, everything else as text. */
function compare(left: unknown, right: unknown): number {
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
const wants = (operand: unknown, isMet: boolean) => (operand === false || operand === 'false' ? !isMet : isMet)

/** Operators of rules on what is written; a rule on a field that was not sent is not asked. */
const operators: Readonly<Record<string, (value: unknown, operand: unknown) => boolean>> = {
  _eq: same,
  _neq: (value, operand) => !same(value, operand),
  _lt: (value, operand) => compare(value, operand) < 0,
  _lte: (value, operand) => compare(value, operand) <= 0,
  _gt: (value, operand) => compare(value, operand) > 0,
  _gte: (value, operand) => compare(value, operand) >= 0,
  _in: (value, operand) => listOf(operand).some((entry) => same(value, entry)),
  _nin: (value, operand) => !listOf(operand).some((entry) => same(value, entry)),
  _between: (value, operand) => compare(value, listOf(operand)[0]) >= 0 && compare(value, listOf(operand)[1]) <= 0,
  _nbetween: (value, operand) => compare(value, listOf(operand)[0]) < 0 || compare(value, listOf(operand)[1]) > 0,
  _null: (value, operand) => wants(operand, value === null),
  _nnull: (value, operand) => wants(operand, value !== null),
  _empty: (value, operand) => wants(operand, isEmpty(value)),
  _nempty: (value, operand) => wants(operand, !isEmpty(value)),
  _contains: (value, operand) => String(value).includes(String(operand)),
  _ncontains: (value, operand) => !String(value).includes(String(operand)),
  _icontains: (value, operand) => lower(value).includes(lower(operand)),
  _starts_with: (value, operand) => String(value).startsWith(String(operand)),
  _nstarts_with: (value, operand) => !String(value).startsWith(String(operand)),
  _istarts_with: (value, operand) => lower(value).startsWith(lower(operand)),
  _ends_with: (value, operand) => String(value).endsWith(String(operand)),
  _nends_with: (value, operand) => !String(value).endsWith(String(operand)),
  _iends_with: (value, operand) => lower(value).endsWith(lower(operand)),
  _regex: (value, operand) => new RegExp(String(operand).replace(/^\/(.*)\/[a-z]*$/su, '$1'), 'u').test(String(value)),
}

export const isRuleOperator = (name: string): boolean => Object.hasOwn(operators, name)

/** How rules are read: the lenient way of a field's own rules, or the strict one of rights. */
export interface Reading {
  /** What an operand stands for; undefined: nothing, and then the rule is broken. */
  readonly resolve: (operand: unknown) => unknown
  /** Null breaks every rule that asks for something; the lenient way asks it nothing but whether it is null. */
  readonly isStrict: boolean
}

const lenient: Reading = { resolve: (operand) => operand, isStrict: false }

/** Rules of the form of a filter, applied to values that are about to be written. */
export function evaluate(rule: unknown, values: Values, reading: Reading = lenient): Broken[] {
  if (!isObject(rule)) return []
  return Object.entries(rule).flatMap(([key, inner]) => {
    if (key === '_and') return listOf(inner).flatMap((part) => evaluate(part, values, reading))
    if (key === '_or') {
      const outcomes = listOf(inner).map((part) => evaluate(part, values, reading))
      return outcomes.length === 0 || outcomes.some((broken) => broken.length === 0) ? [] : (outcomes[0] ?? [])
    }
    return Object.hasOwn(values, key) ? evaluateField(key, inner, values[key], reading) : []
  })
}

function evaluateField(field: string, rule: unknown, value: unknown, { resolve, isStrict }: Reading): Broken[] {
  const tests = isObject(rule) ? rule : { _eq: rule }
  return Object.entries(tests).flatMap(([operator, written]) => {
    const operand = resolve(written)
    const test = operators[operator]
    // A rule that cannot be read refuses: leaving it out would let everything pass.
    if (test === undefined || operand === undefined) return [{ field, operator, operand: written }]
    const isAsked = value !== null || /^_n?(null|empty)$|^_n?eq$/u.test(operator)
    // Whatever is ruled out, null is something else; whatever is asked for, it is not that.
    const isMet = isAsked ? test(value, operand) : !isStrict || operator.startsWith('_n')
    return isMet ? [] : [{ field, operator, operand }]
  })
}
