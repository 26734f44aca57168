/** A number, also one written as decimal text; null: anything else. */
export function canonicalNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || !/^-?\d{1,12}(?:\.\d{1,12})?$/u.test(value)) return null
  return Number(value)
}
