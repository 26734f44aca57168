export type Intern = <T extends string | null>(value: T) => T

/**
 * Equal names of many tables share one string: a copy, because a slice would keep the whole received text in memory.
 */
export function interner(): Intern {
  const known = new Map<string | null, string | null>([[null, null]])
  return <T extends string | null>(value: T) => {
    const first = known.get(value)
    if (first !== undefined) return first as T
    const copy = Buffer.from(value ?? '').toString()
    known.set(copy, copy)
    return copy as T
  }
}
