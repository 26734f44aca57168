import { invalidQuery } from '@tain/contract'
import { isRuleConstant, type Parameter } from '../lib/parameter.ts'
import { withoutLimit, type Spend } from './cost.ts'

/** Collects the values of a request in the order they are met, and counts what it holds. */
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

/** Values of a rule stay with the rule. */
export const ruleConstants: Values = {
  add: (held) => ({ constant: held }),
  get: (parameter) => (isRuleConstant(parameter) ? parameter.constant : undefined),
  spend: withoutLimit,
}

/** One operand as the caller meant it: addresses know no true, false or null, so their words stand for them. */
export function coerce(value: unknown, where: string): unknown {
  switch (value) {
    case 'true':
      return true
    case 'false':
      return false
    case 'null':
    case 'NULL':
      return null
    case '':
      throw invalidQuery(`${where} has an empty value; use _empty to look for empty text`)
    default:
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw invalidQuery(`${where} is no number`)
  if (typeof value === 'object' && value !== null) throw invalidQuery(`${where} has to be a plain value`)
  if (typeof value === 'string' && value.includes('\u0000')) throw invalidQuery(`${where} contains a NUL character`)
  return value
}
