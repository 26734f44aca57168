import { columnOf, type Table } from '../model/schema.ts'
import { isMade, type Value } from '../model/state.ts'
import { Refused, stored } from '../model/values.ts'
import type { Json } from '../property/model.ts'

type Check = (value: string | null, operands: readonly string[]) => boolean

/** NULL is none of the values that are asked for, and none of those that are ruled out. */
const CHECKS: Readonly<Record<string, Check>> = {
  _eq: (value, [operand]) => value === operand,
  _neq: (value, [operand]) => value !== operand,
  _in: (value, operands) => value !== null && operands.includes(value),
  _nin: (value, operands) => value === null || !operands.includes(value),
  _null: (value) => value === null,
  _nnull: (value) => value !== null,
}

export const CHECK_NAMES = Object.keys(CHECKS)

/** Whether the values meet a rule; what is not among them is not looked at. */
export function meets(
  table: Table,
  validation: Readonly<Record<string, Json>>,
  values: ReadonlyMap<string, Value>,
): boolean {
  return Object.entries(validation).every(([name, tests]) => {
    const value = values.get(name)
    const column = columnOf(table, name)
    if (value === undefined || column === undefined || isMade(value)) return true
    return Object.entries(tests as Readonly<Record<string, Json>>).every(([operator, operand]) => {
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

/** A value of a payload as it is stored; undefined when it is none, or not one that can be. */
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
