import { invalidQuery } from '@tain/contract'
import type { RuleConstant } from '../lib/parameter.ts'

/** The values of dynamic variables in one request. */
export interface Variables {
  readonly now: Date
  readonly user: string | null
  readonly role: string | null
  readonly roles: readonly string[]
  readonly policies: readonly string[]
  /** Values of variables with a path, by the whole text of the variable. */
  readonly paths: ReadonlyMap<string, unknown>
}

const units: readonly (readonly [RegExp, (date: Date, amount: number) => void])[] = [
  [/^(ms|msecs?|milliseconds?)$/u, (date, n) => date.setTime(date.getTime() + n)],
  [/^(s|secs?|seconds?)$/u, (date, n) => date.setTime(date.getTime() + n * 1000)],
  [/^(m|mins?|minutes?)$/u, (date, n) => date.setTime(date.getTime() + n * 60_000)],
  [/^(h|hrs?|hours?)$/u, (date, n) => date.setTime(date.getTime() + n * 3_600_000)],
  [/^(d|days?)?$/u, (date, n) => date.setTime(date.getTime() + n * 86_400_000)],
  [/^(w|weeks?)$/u, (date, n) => date.setTime(date.getTime() + n * 604_800_000)],
  [/^(mo|mths?|months?)$/u, (date, n) => date.setUTCMonth(date.getUTCMonth() + n)],
  [/^(y|yrs?|years?)$/u, (date, n) => date.setUTCFullYear(date.getUTCFullYear() + n)],
]

function shifted(now: Date, shift: string): Date {
  const found = /^([+-]?)\s*(\d+(?:\.\d+)?)\s*([a-z]*)$/iu.exec(shift.trim())
  const unit = units.find(([pattern]) => pattern.test((found?.[3] ?? '').toLowerCase()))
  if (found === null || unit === undefined) throw invalidQuery(`"$NOW(${shift})" is no distance in time`)
  const date = new Date(now)
  unit[1](date, Number(found[2]) * (found[1] === '-' ? -1 : 1))
  if (Number.isNaN(date.getTime())) throw invalidQuery(`"$NOW(${shift})" lies too far away`)
  return date
}

/**
 * Resolves a dynamic variable; returns any other value unchanged. Null means that the variable has no value, and no
 * comparison matches it.
 */
export function resolveVariable(value: unknown, variables: Variables): unknown {
  if (Array.isArray(value)) return value.flatMap((entry) => resolveVariable(entry, variables))
  if (typeof value !== 'string' || !value.startsWith('$')) return value
  if (value === '$NOW') return variables.now.toISOString()
  const shift = /^\$NOW\((.*)\)$/u.exec(value)
  if (shift !== null) return shifted(variables.now, shift[1] ?? '').toISOString()
  switch (value) {
    case '$CURRENT_USER':
      return variables.user
    case '$CURRENT_ROLE':
      return variables.role
    case '$CURRENT_ROLES':
      return variables.roles
    case '$CURRENT_POLICIES':
      return variables.policies
    default:
      return isVariable(value) ? (variables.paths.get(value) ?? null) : value
  }
}

/** Whether a value is, or a list contains, the current time or one relative to it. */
export const isTime = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isTime) : typeof value === 'string' && value.startsWith('$NOW')

const personal = /^\$CURRENT_(USER|ROLE|ROLES|POLICIES)(\..+)?$/u

/** Whether a value is a variable that depends on the caller. */
export const isVariable = (value: unknown): value is string => typeof value === 'string' && personal.test(value)

export const isPathVariable = (value: unknown): value is string => isVariable(value) && value.includes('.')

/**
 * The value of a rule constant for one caller. Variables without a value are left out of lists; conditions that depend
 * on them are already decided (see simplify-rule.ts).
 */
export function ruleConstant({ constant: held }: RuleConstant, variables: Variables): unknown {
  const value = resolveVariable(held, variables)
  return Array.isArray(value) ? value.filter((entry) => entry !== null && entry !== undefined) : value
}
