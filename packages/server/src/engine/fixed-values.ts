import type { FieldType } from '@tain/contract'
import { isExactNumber } from '../lib/exact-json.ts'
import type { Parameter } from '../lib/parameter.ts'
import type { BoundFilter } from '../query/bound.ts'

/** A column that has one of these values in every row that meets a condition. */
export interface FixedValue {
  readonly field: string
  readonly values: ReadonlySet<string>
}

/** Types whose equality is that of one spelling, on every database. */
const spellings: Partial<Readonly<Record<FieldType, (value: unknown) => string | null>>> = {
  uuid: (value) => (typeof value === 'string' ? value.trim().toLowerCase() : null),
  integer: wholeNumber,
  bigInteger: wholeNumber,
  boolean: (value) => (typeof value === 'boolean' ? String(value) : null),
}

function wholeNumber(value: unknown): string | null {
  const text = isExactNumber(value) ? value.rawJSON : typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^-?\d{1,30}$/u.test(text.trim()) ? BigInt(text.trim()).toString() : null
}

/** A value in the spelling in which fixed values are compared; null: it has none. */
export const spelledValue = (type: FieldType, value: unknown): string | null => spellings[type]?.(value) ?? null

/** The columns that a condition fixes: only where it can hold for no row with another value. */
export function fixedValuesOf(
  filter: BoundFilter | null,
  valueOf: (parameter: Parameter) => unknown,
): readonly FixedValue[] {
  if (filter === null) return []
  switch (filter.kind) {
    case 'and':
      return filter.parts.flatMap((part) => fixedValuesOf(part, valueOf))
    case 'or':
      return inEveryPart(filter.parts.map((part) => fixedValuesOf(part, valueOf)))
    case 'test':
      return tested(filter, valueOf)
    default:
      return []
  }
}

function tested(
  { value, operator, operand }: Extract<BoundFilter, { kind: 'test' }>,
  valueOf: (parameter: Parameter) => unknown,
): readonly FixedValue[] {
  // A masked column is NULL in some rows, and no NULL equals a value.
  if (value.kind !== 'column' || operand === null || (operator !== '_eq' && operator !== '_in')) return []
  const given = valueOf(operand)
  const wanted = Array.isArray(given) ? given : [given]
  const spelled = wanted.map((each) => spelledValue(value.field.type, each))
  if (spelled.some((each) => each === null)) return []
  return [{ field: value.field.name, values: new Set(spelled as string[]) }]
}

/** A column is fixed by alternatives if each of them fixes it. */
function inEveryPart(parts: readonly (readonly FixedValue[])[]): readonly FixedValue[] {
  const [first = [], ...others] = parts
  return first.flatMap(({ field, values }) => {
    const found = others.map((part) => part.find((each) => each.field === field))
    if (found.some((each) => each === undefined)) return []
    return [{ field, values: new Set([...values, ...found.flatMap((each) => [...(each?.values ?? [])])]) }]
  })
}
