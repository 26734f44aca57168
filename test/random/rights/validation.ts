import { columnOf, type Table } from '../writes/schema.ts'
import { isMade, type Value } from '../writes/state.ts'
import { Refused, stored } from '../writes/values.ts'
import type { Json } from '../database/model.ts'

type Check = (value: string | null, operands: readonly string[]) => boolean

/** NULL is not in any list: `_in` is false for it, `_nin` is true. */
const CHECKS: Readonly<Record<string, Check>> = {
  _eq: (value, [operand]) => value === operand,
  _neq: (value, [operand]) => value !== operand,
  _in: (value, operands) => value !== null && operands.includes(value),
  _nin: (value, operands) => value === null || !operands.includes(value),
  _null: (value) => value === null,
  _nnull: (value) => value !== null,
}

export const CHECK_NAMES = Object.keys(CHECKS)

type Rule = Readonly<Record<string, Json>>

/** Splits a rule into its conditions, all of which must hold. */
function parts(rule: Rule): Rule[] {
  return Object.entries(rule).flatMap(([name, inner]) =>
    name === '_and' ? (inner as readonly Rule[]).flatMap(parts) : [{ [name]: inner }],
  )
}

const named = (rule: Rule): string[] =>
  Object.entries(rule).flatMap(([name, inner]) =>
    name === '_or' || name === '_and' ? (inner as readonly Rule[]).flatMap(named) : [name],
  )

/**
 * Whether a rule is certainly true for the values. Missing values are unknown. An existing row keeps them, so an update
 * skips conditions that name none of the fields it writes.
 */
export function meets(
  table: Table,
  validation: Rule,
  values: ReadonlyMap<string, Value>,
  action: 'create' | 'update',
): boolean {
  return parts(validation).every(
    (part) => (action === 'update' && !named(part).some((name) => values.has(name))) || isTrue(table, part, values),
  )
}

function isTrue(table: Table, rule: Rule, values: ReadonlyMap<string, Value>): boolean {
  return Object.entries(rule).every(([name, inner]) => {
    if (name === '_and') return (inner as readonly Rule[]).every((part) => isTrue(table, part, values))
    if (name === '_or') return (inner as readonly Rule[]).some((part) => isTrue(table, part, values))
    const value = values.get(name)
    const column = columnOf(table, name)
    if (value === undefined || column === undefined || isMade(value)) return false
    return Object.entries(inner as Rule).every(([operator, operand]) => {
      const operands = (Array.isArray(operand) ? operand : [operand]) as readonly Json[]
      return CHECKS[operator]!(
        value,
        operands.flatMap((entry) =>
          typeof entry === 'boolean' && column.type !== 'boolean' ? [] : [stored(column, entry) ?? ''],
        ),
      )
    })
  })
}

/** A payload value as it is stored; undefined if it is not a plain value or cannot be stored. */
export function plainValue(table: Table, name: string, value: unknown): string | null | undefined {
  const column = columnOf(table, name)
  if (column === undefined || (typeof value === 'object' && value !== null)) return undefined
  try {
    return stored(column, value)
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}
