import { invalidQuery } from '@tain/contract'
import { isExactNumber } from '../lib/exact-json.ts'
import { isRuleConstant, type Parameter } from '../lib/parameter.ts'
import { withoutLimit, type Spend } from './cost.ts'

/** Collects the values of a request in order of appearance, and counts its costs. */
export interface Values {
  add(value: unknown): Parameter
  get(parameter: Parameter): unknown
  readonly spend: Spend
}

export function collectValues(spend: Spend = withoutLimit): Values & { readonly list: unknown[] } {
  const list: unknown[] = []
  return {
    list,
    add: (value) => list.push(value) - 1,
    get: (parameter) => (isRuleConstant(parameter) ? parameter.constant : list[parameter]),
    spend,
  }
}

/** Turns the values of a rule into rule constants, which stay with the rule. */
export const ruleConstants: Values = {
  add: (held) => ({ constant: held }),
  get: (parameter) => (isRuleConstant(parameter) ? parameter.constant : undefined),
  spend: withoutLimit,
}

/**
 * Interprets an operand. URLs contain only text, so the texts true, false and null stand for those values, and numbers
 * with all their digits are texts.
 */
export function coerce(value: unknown, where: string): unknown {
  switch (value) {
    case 'true':
      return true
    case 'false':
      return false
    case 'null':
    case 'NULL':
      return null
    case undefined:
      throw invalidQuery(`${where} is undefined`)
    case '':
      throw invalidQuery(`${where} has an empty value; use _empty to look for empty text`)
    default:
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw invalidQuery(`${where} is no number`)
  if (isExactNumber(value)) return value.rawJSON
  if (typeof value === 'object' && value !== null) throw invalidQuery(`${where} has to be a plain value`)
  if (typeof value === 'string' && value.includes('\u0000')) throw invalidQuery(`${where} contains a NUL character`)
  return value
}
