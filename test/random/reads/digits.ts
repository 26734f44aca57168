/** A number as written, with all its digits. */
export class Digits {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

interface JsonWithSource {
  parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
}

/** Parses JSON and keeps numbers as text until their type is known. */
export const parseDigits = (text: string): unknown =>
  (JSON as unknown as JsonWithSource).parse(text, (_, value, { source }) =>
    typeof value === 'number' ? new Digits(source ?? String(value)) : value,
  )

/** Converts them to plain numbers. */
export function plainNumbers(value: unknown): unknown {
  if (value instanceof Digits) return Number(value.source)
  if (Array.isArray(value)) return value.map(plainNumbers)
  if (typeof value !== 'object' || value === null) return value
  const result = Object.create(null) as Record<string, unknown>
  for (const [key, inner] of Object.entries(value)) result[key] = plainNumbers(inner)
  return result
}
