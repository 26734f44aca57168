import { operators, ServiceError } from '@tain/contract'
import type { Fits } from '../access/simplify-rule.ts'
import type { Dialect } from '../sql/dialect.ts'
import { columnOf } from './columns.ts'

export const createFits =
  (dialect: Dialect): Fits =>
  ({ value, operator }, values) => {
    const { operand, tests } = operators[operator]
    if (operand === 'flag' || operand === 'json' || operand === 'geometry') return true
    // A search in a text accepts any scalar value; all others need a value of the column's type.
    if (tests === 'text') return values.every((entry) => typeof entry !== 'object')
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
