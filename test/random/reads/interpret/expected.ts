import type { Json } from '../../database/model.ts'

/** A number that the service prints as text, with more or fewer digits. */
export class Approximate {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }

  toJSON(): string {
    return `about ${this.value}`
  }
}

export type Expected = Json | Approximate | readonly Expected[] | ExpectedRecord
export interface ExpectedRecord {
  [key: string]: Expected
}

/** Has no prototype, so that `__proto__` is an ordinary key. */
export function record(): ExpectedRecord {
  return Object.create(null) as ExpectedRecord
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The first difference between two responses, as a path and the two values; null if they agree. Key order is ignored.
 */
export function difference(expected: unknown, actual: unknown, path = ''): string | null {
  if (expected instanceof Approximate) return isNear(expected, actual) ? null : show(path, expected, actual)
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return show(path, expected, actual)
    return firstOf(expected, (item, index) => difference(item, actual[index], `${path}[${index}]`))
  }
  if (isRecord(expected)) {
    if (!isRecord(actual)) return show(path, expected, actual)
    const keys = Object.keys(expected)
    const extra = Object.keys(actual).find((key) => !Object.hasOwn(expected, key))
    if (extra !== undefined) return show(`${path}.${extra}`, undefined, actual[extra])
    return firstOf(keys, (key) => {
      if (!Object.hasOwn(actual, key)) return show(`${path}.${key}`, expected[key], undefined)
      return difference(expected[key], actual[key], `${path}.${key}`)
    })
  }
  return Object.is(expected, actual) ? null : show(path, expected, actual)
}

function firstOf<T>(list: readonly T[], look: (item: T, index: number) => string | null): string | null {
  for (const [index, item] of list.entries()) {
    const found = look(item, index)
    if (found !== null) return found
  }
  return null
}

function isNear(expected: Approximate, actual: unknown): boolean {
  if (typeof actual !== 'string' || !/^-?\d+(\.\d+)?$/.test(actual)) return false
  return Math.abs(Number(actual) - expected.value) <= 1e-9 * Math.max(1, Math.abs(expected.value))
}

function show(path: string, expected: unknown, actual: unknown): string {
  return `at ${path === '' ? 'the root' : path}: expected ${print(expected)}, got ${print(actual)}`
}

function print(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 600 ? `${text.slice(0, 600)}…` : text
}
