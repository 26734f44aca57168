import { operators, type Operator } from '@tain/contract'
import { isRuleConstant, type RuleConstant } from '../lib/parameter.ts'
import type { BoundFilter } from '../query/bound.ts'
import type { JsonCondition } from '../query/query.ts'
import { isVariable, resolveVariable, type Variables } from '../query/variables.ts'
import type { Actor } from './actor.ts'

const yes: BoundFilter = { kind: 'constant', value: true }
const no: BoundFilter = { kind: 'constant', value: false }

export const variablesOf = (actor: Actor, now: Date): Variables => ({
  now,
  user: actor.user,
  role: actor.role,
  roles: actor.roles,
  policies: actor.policies,
  paths: actor.paths,
})

/** Whether the operand values of a condition can be compared with the value that it tests. */
export type Fits = (test: BoundFilter & { kind: 'test' }, values: readonly unknown[]) => boolean

interface Settling {
  readonly variables: Variables
  readonly fits: Fits
}

/** A rule compares values that are not comparable. */
export class UnusableRule extends Error {}

/**
 * Replaces conditions whose variables have no value with constants. Such a condition is unknown, and a rule that is not
 * certainly true is false. So unknown becomes false, and inside `_none` true.
 */
export const simplify = (filter: BoundFilter, actor: Actor, fits: Fits): BoundFilter =>
  settled(filter, { variables: variablesOf(actor, new Date(0)), fits }, false)

function settled(filter: BoundFilter, settling: Settling, unknown: boolean): BoundFilter {
  switch (filter.kind) {
    case 'constant':
      return filter
    case 'and':
    case 'or':
      return joined(
        filter.kind,
        filter.parts.map((part) => settled(part, settling, unknown)),
      )
    case 'test':
      return settledTest(filter, settling, unknown)
    case 'json':
      return isJsonUnknown(filter.condition, settling, unknown) ? constant(unknown) : filter
    case 'one':
    case 'any':
      return { ...filter, filter: settled(filter.filter, settling, unknown) }
    case 'many':
      return {
        ...filter,
        filter: settled(filter.filter, settling, filter.quantifier === 'none' ? !unknown : unknown),
      }
  }
}

const constant = (value: boolean): BoundFilter => (value ? yes : no)

function joined(kind: 'and' | 'or', parts: readonly BoundFilter[]): BoundFilter {
  const decisive = kind === 'or'
  if (parts.some((part) => part.kind === 'constant' && part.value === decisive)) return constant(decisive)
  const open = parts.filter((part) => part.kind !== 'constant')
  const [only] = open
  if (only === undefined) return constant(!decisive)
  return open.length === 1 ? only : { kind, parts: open }
}

function settledTest(filter: BoundFilter & { kind: 'test' }, settling: Settling, unknown: boolean): BoundFilter {
  const { operator, operand } = filter
  if (operand === null || !isRuleConstant(operand)) return filter
  if (isUnknown(operand, operator, settling, unknown)) return constant(unknown)
  if (!settling.fits(filter, knownValues(operand.constant, settling.variables))) throw new UnusableRule()
  return filter
}

function isJsonUnknown(condition: JsonCondition, settling: Settling, unknown: boolean): boolean {
  if (condition.kind !== 'test') return condition.parts.some((part) => isJsonUnknown(part, settling, unknown))
  const { operator, operand } = condition
  return operand !== null && isRuleConstant(operand) && isUnknown(operand, operator, settling, unknown)
}

/** A list has no value if it is empty or contains null. */
const isNothing = (value: unknown) =>
  value === null ||
  value === undefined ||
  (Array.isArray(value) && (value.length === 0 || value.some((entry) => entry === null)))

/** All operands that have a value, with nested lists flattened. */
function knownValues(held: unknown, variables: Variables): unknown[] {
  const values: readonly unknown[] = Array.isArray(held) ? held : [held]
  return values
    .flatMap((value) => resolveVariable(value, variables))
    .filter((value) => value !== null && value !== undefined)
}

/** `_in` needs one matching value, so it ignores variables without a value, unless unknown counts as true. */
function isUnknown(
  { constant: held }: RuleConstant,
  operator: Operator,
  { variables }: Settling,
  unknown: boolean,
): boolean {
  const values: readonly unknown[] = Array.isArray(held) ? held : [held]
  const isOpen = (value: unknown) => isVariable(value) && isNothing(resolveVariable(value, variables))
  const { operand, negates } = operators[operator]
  if (operand === 'list' && !negates && !unknown)
    return values.some(isOpen) && knownValues(held, variables).length === 0
  return values.some(isOpen)
}
