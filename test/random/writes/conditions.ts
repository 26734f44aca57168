import { columnOf, type Table } from './schema.ts'
import { asPayload, isObject, type Payload } from './run-state.ts'
import { Refused, stored } from './values.ts'
import type { Value } from './state.ts'

type Group = '_and' | '_or'

const isGroup = (name: string): name is Group => name === '_and' || name === '_or'

const partsOf = (parts: unknown): readonly Payload[] => (Array.isArray(parts) ? parts.map(asPayload) : [])

/** The columns that a filter names. Throws if one of them has no operator. */
export function namedIn(filter: Payload): string[] {
  return Object.entries(filter).flatMap(([name, tests]) => {
    if (isGroup(name)) return partsOf(tests).flatMap(namedIn)
    if (isObject(tests) && Object.keys(tests).length === 0) throw new Refused(400, `${name} has no operator`)
    return [name]
  })
}

/** Whether every row meets a filter, because it asks for nothing. */
export const isUnconditional = (filter: Payload): boolean =>
  Object.entries(filter).every(([name, parts]) => {
    if (name === '_and') return partsOf(parts).every(isUnconditional)
    return name === '_or' && partsOf(parts).some(isUnconditional)
  })

/** Conditions as the generator writes them. */
export function meets(filter: Payload, table: Table, valueIn: (name: string) => Value | null): boolean {
  return Object.entries(filter).every(([name, tests]) => {
    if (name === '_and') return partsOf(tests).every((part) => meets(part, table, valueIn))
    if (name === '_or') return partsOf(tests).some((part) => meets(part, table, valueIn))
    const column = columnOf(table, name)
    if (column === undefined) throw new Refused(0, `${name} is no field`)
    const value = valueIn(name)
    return Object.entries(asPayload(tests)).every(([operator, operand]) => {
      if (operator === '_null') return value === null
      const list = (operator === '_in' && Array.isArray(operand) ? operand : [operand]) as unknown[]
      return value !== null && list.some((wanted) => stored(column, wanted) === value)
    })
  })
}
