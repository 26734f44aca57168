import { operators, ServiceError } from '@tain/contract'
import type { Fits } from '../access/simplify-rule.ts'
import type { Dialect } from '../sql/dialect.ts'
import { columnOf } from './columns.ts'

/** Operators that search inside a text accept any scalar value; all others need a value of the column's type. */
const looksInside = /_i?n?i?(contains|starts_with|ends_with)$/u

export const createFits =
  (dialect: Dialect): Fits =>
  ({ value, operator }, values) => {
    const kind = operators[operator].operand
    if (kind === 'flag' || kind === 'json' || kind === 'geometry') return true
    if (looksInside.test(operator)) return values.every((entry) => typeof entry !== 'object')
    const column = columnOf(value)
    const { encode } = column === null ? dialect.numberOperand : dialect.operandOf(column)
    try {
      for (const entry of values) encode(entry)
      return true
    } catch (error) {
      if (error instanceof ServiceError) return false
      throw error
    }
  }
