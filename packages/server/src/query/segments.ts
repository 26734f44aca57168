import { invalidQuery, isFieldFunction, readName, splitWritten, writtenName, type FieldFunction } from '@tain/contract'

/** One step of a path as written: a name with an optional scope, or a function call. */
export interface WrittenSegment {
  /** True for the wildcard `*`; an escaped star is a name. */
  readonly isAll: boolean
  readonly name: string
  readonly scope: string | null
  readonly call: WrittenCall | null
}

export interface WrittenCall {
  readonly fn: FieldFunction
  /** The path inside the parentheses. */
  readonly path: readonly WrittenSegment[]
  /** Second argument, as written. */
  readonly argument: string | null
}

/** Removes surrounding white space, unless it is escaped. */
export const trimmed = (text: string) => text.replace(/^\s+|(?<!\\)\s+$/gu, '')

export function parsePath(text: string): WrittenSegment[] {
  return splitWritten(text, '.').map(parseSegment)
}

const callStart = /^\s*[A-Za-z]+\(/u

function parseSegment(text: string): WrittenSegment {
  const call = /^\s*([A-Za-z]+)\((.*)\)\s*$/su.exec(text)
  if (call !== null) return { isAll: false, name: '', scope: null, call: parseCall(call[1] ?? '', call[2] ?? '') }
  if (callStart.test(text)) throw invalidQuery(`"${text}" misses its closing parenthesis`)
  const [name = '', scope, ...rest] = splitWritten(text, ':')
  if (rest.length > 0) throw invalidQuery(`"${text}" has more than one scope`)
  if (name === '') throw invalidQuery('A path has an empty segment')
  const isAll = name === '*' && scope === undefined
  return { isAll, name: readName(name), scope: scope === undefined ? null : readName(scope), call: null }
}

function parseCall(fn: string, inside: string): WrittenCall {
  if (!isFieldFunction(fn))
    throw invalidQuery(
      `There is no function "${fn}". A field of this name is written "${writtenName(`${fn}(${inside})`)}"`,
    )
  const [first = '', ...rest] = splitWritten(inside, ',')
  // Checked before parsing, so that no input can cause unbounded recursion.
  if (splitWritten(first, '.').some((step) => callStart.test(step)))
    throw invalidQuery('A function cannot stand inside another')
  const path = parsePath(trimmed(first))
  if (path.at(-1)?.scope !== null) throw invalidQuery(`${fn}() takes a field without a scope`)
  if (fn === 'json' && rest.length !== 1) throw invalidQuery('json() takes a field and a path')
  if (fn !== 'json' && rest.length > 0) throw invalidQuery(`${fn}() takes one field`)
  return { fn, path, argument: rest[0] === undefined ? null : trimmed(rest[0]) }
}

/** A path inside a JSON value (`a.b[0]`) as its list of keys. */
export function parseJsonPath(text: string, maxDepth: number): string[] {
  const keys: string[] = []
  // The Unicode property Emoji also includes # and *, which are not allowed in names.
  const step = /(?:^|\.)((?:(?![#*])[\p{L}\p{N}_\p{Emoji}-])+)|\[(\d+)\]/uy
  let at = 0
  while (at < text.length) {
    step.lastIndex = at
    const found = step.exec(text)
    if (found === null) throw invalidQuery(`"${text}" is no path into a JSON value`)
    keys.push(found[1] ?? found[2] ?? '')
    at = step.lastIndex
  }
  if (keys.length === 0) throw invalidQuery('A path into a JSON value must not be empty')
  if (keys.length > maxDepth) throw invalidQuery(`A path into a JSON value may have at most ${maxDepth} steps`)
  return keys
}
