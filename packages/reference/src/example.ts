import type { Resolve, Schema } from './document.ts'

const DEEPEST = 5

/** The first of these that a value may have. Numbers come before text: what is both is a number with many digits. */
const simple: readonly (readonly [type: string, value: unknown])[] = [
  ['integer', 0],
  ['number', 0],
  ['boolean', true],
]

const texts: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  uuid: '00000000-0000-4000-8000-000000000000',
  email: 'person@example.com',
}

/** The smallest value that fits, for a reader to begin with: what is required, and nothing else. */
export function exampleOf(given: Schema, resolve: Resolve, depth = 0): unknown {
  const schema = resolve(given)
  const choice = schema.oneOf?.[0] ?? schema.anyOf?.[0]
  if (choice !== undefined && depth < DEEPEST) return exampleOf(choice, resolve, depth + 1)
  if (schema.enum !== undefined) return schema.enum[0]
  const types = new Set([schema.type ?? []].flat())
  const known = simple.find(([type]) => types.has(type))
  if (known !== undefined && !types.has('object')) return known[1]
  if (types.has('array')) return []
  if (types.has('string') && !types.has('object')) return texts[schema.format ?? ''] ?? ''
  if (depth >= DEEPEST) return {}
  const names = (schema.required ?? []).filter((name) => Object.hasOwn(schema.properties ?? {}, name))
  return Object.fromEntries(names.map((name) => [name, exampleOf(schema.properties?.[name] ?? {}, resolve, depth + 1)]))
}
