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

/** Rules of the form of a filter, applied to values that are about to be written. Null meets every rule but those on null. */
export function evaluate(rule: unknown, values: Values): Broken[] {
  if (!isObject(rule)) return []
  return Object.entries(rule).flatMap(([key, inner]) => {
    if (key === '_and') return listOf(inner).flatMap((part) => evaluate(part, values))
    if (key === '_or') {
      const outcomes = listOf(inner).map((part) => evaluate(part, values))
      return outcomes.length === 0 || outcomes.some((broken) => broken.length === 0) ? [] : (outcomes[0] ?? [])
    }
    return Object.hasOwn(values, key) ? evaluateField(key, inner, values[key]) : []
  })
}

function evaluateField(field: string, rule: unknown, value: unknown): Broken[] {
  const tests = isObject(rule) ? rule : { _eq: rule }
  return Object.entries(tests).flatMap(([operator, operand]) => {
    const test = operators[operator]
    // A rule that cannot be read refuses: leaving it out would let everything pass.
    if (test === undefined) return [{ field, operator, operand }]
    const isAsked = value !== null || /^_n?(null|empty)$|^_n?eq$/u.test(operator)
    return !isAsked || test(value, operand) ? [] : [{ field, operator, operand }]
  })
}
