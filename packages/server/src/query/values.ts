import { invalidQuery } from '@tain/contract'
import { isHeld, type Slot } from '../lib/slot.ts'

/** Collects the values of a request in the order they are met. */
export interface Values {
  add(value: unknown): Slot
  get(slot: Slot): unknown
}

export function collectValues(): Values & { readonly list: unknown[] } {
  const list: unknown[] = []
  return { list, add: (value) => list.push(value) - 1, get: (slot) => (isHeld(slot) ? slot.held : list[slot]) }
}

/** Values of a rule stay with the rule. */
export const heldValues: Values = {
  add: (held) => ({ held }),
  get: (slot) => (isHeld(slot) ? slot.held : undefined),
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
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw invalidQuery(`${where} is a number beyond 2^53; send it as text to keep all its digits`)
  }
  if (typeof value === 'object' && value !== null) throw invalidQuery(`${where} has to be a plain value`)
  if (typeof value === 'string' && value.includes('\u0000')) throw invalidQuery(`${where} contains a NUL character`)
  return value
}
