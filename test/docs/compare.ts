/** Stands for any value, for the rest of a list, or, as a key, for further members. Inside a text, for any text. */
export const ELISION = '…'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)

/** A text in which `…` stands for any text. */
export const textMatches = (expected: string, actual: string): boolean =>
  expected.includes(ELISION)
    ? new RegExp(`^${expected.split(ELISION).map(escaped).join('[\\s\\S]*')}$`, 'u').test(actual)
    : expected === actual

const shown = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value))

/** The first difference as a sentence, or null. */
export function difference(expected: unknown, actual: unknown, path = 'the response'): string | null {
  if (expected === ELISION && actual !== undefined) return null
  if (Array.isArray(expected) && Array.isArray(actual)) return listDifference(expected, actual, path)
  if (isRecord(expected) && isRecord(actual)) return recordDifference(expected, actual, path)
  const isEqual =
    typeof expected === 'string' && typeof actual === 'string' ? textMatches(expected, actual) : expected === actual
  return isEqual ? null : `${path} is ${shown(actual)}, the page says ${shown(expected)}`
}

function listDifference(expected: readonly unknown[], actual: readonly unknown[], path: string): string | null {
  const isOpen = expected.at(-1) === ELISION
  const items = isOpen ? expected.slice(0, -1) : expected
  if (isOpen ? actual.length < items.length : actual.length !== items.length)
    return `${path} has ${actual.length} items, the page says ${items.length}: ${shown(actual)}`
  for (const [index, item] of items.entries()) {
    const found = difference(item, actual[index], `${path}[${index}]`)
    if (found !== null) return found
  }
  return null
}

function recordDifference(
  expected: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
  path: string,
): string | null {
  const isOpen = Object.hasOwn(expected, ELISION)
  for (const [key, value] of Object.entries(expected)) {
    if (key === ELISION) continue
    const found = difference(value, actual[key], `${path}.${key}`)
    if (found !== null) return found
  }
  const extra = isOpen ? undefined : Object.keys(actual).find((key) => !Object.hasOwn(expected, key))
  return extra === undefined ? null : `${path}.${extra} is ${shown(actual[extra])}, the page does not have it`
}

const UNSTABLE = [
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u,
  /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/u,
  /^[\w-]{60,}$/u,
] as const

/**
 * The response as a page should show it: what the page elided stays elided, and so do generated keys, tokens and the
 * reason of an error, which its message repeats.
 */
export function elided(actual: unknown, before: unknown): unknown {
  if (before === ELISION) return ELISION
  if (typeof actual === 'string') {
    if (typeof before === 'string' && before.includes(ELISION) && textMatches(before, actual)) return before
    return UNSTABLE.some((pattern) => pattern.test(actual)) ? ELISION : actual
  }
  if (Array.isArray(actual)) {
    const known: readonly unknown[] = Array.isArray(before) ? before : []
    const isOpen = known.at(-1) === ELISION
    const items = (isOpen ? actual.slice(0, known.length - 1) : actual) as unknown[]
    return [...items.map((item, index) => elided(item, known[index])), ...(isOpen ? [ELISION] : [])]
  }
  if (!isRecord(actual)) return actual
  const known = isRecord(before) ? before : {}
  const isOpen = Object.hasOwn(known, ELISION)
  const members = Object.entries(actual)
    .filter(([key]) => !isOpen || Object.hasOwn(known, key))
    .map(([key, value]) => [key, key === 'reason' ? ELISION : elided(value, known[key])] as const)
  return Object.fromEntries([...members, ...(isOpen ? [[ELISION, ELISION] as const] : [])])
}

const WIDTH = 110

const onOneLine = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`
  if (!isRecord(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${onOneLine(member)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** JSON that breaks only the lines that would be too long. */
export function printJson(value: unknown, indent = '', before = 0): string {
  const line = onOneLine(value)
  if (indent.length + before + line.length <= WIDTH || typeof value !== 'object' || value === null) return line
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    const items = value.map((item) => inner + printJson(item, inner))
    return `[\n${items.join(',\n')}\n${indent}]`
  }
  const members = Object.entries(value).map(([key, member]) => {
    const name = `${JSON.stringify(key)}: `
    return inner + name + printJson(member, inner, name.length)
  })
  return `{\n${members.join(',\n')}\n${indent}}`
}
