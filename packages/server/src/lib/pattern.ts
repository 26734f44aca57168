import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'

/** A regular expression that matches in time linear in the text, for any pattern. */
export interface Pattern {
  readonly test: (text: string) => boolean
}

export class PatternError extends Error {}

/** Maximum characters of a pattern. */
const LONGEST_PATTERN = 1000

/** Maximum steps of one match: characters of the text times states of the pattern. */
const MOST_STEPS = 1_000_000

const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
}

const cache = new LRUCache<string, Pattern | PatternError>({ max: 500 })

/** Compiles a pattern, with or without slashes around it; throws PatternError if it is invalid or backtracks. */
export function patternOf(text: string): Pattern {
  const known = cache.get(text) ?? compiled(text)
  cache.set(text, known)
  if (known instanceof PatternError) throw known
  return known
}

function compiled(text: string): Pattern | PatternError {
  if (text.length > LONGEST_PATTERN) return new PatternError(`a pattern has at most ${LONGEST_PATTERN} characters`)
  const [, inner = text, flags = ''] = /^\/(.*)\/([a-z]*)$/su.exec(text) ?? []
  const bits = flags.split('').reduce((sum, flag) => sum | (FLAGS[flag] ?? 0), 0)
  try {
    const parts = partsOf(inner, flags.includes('m'))
    const programs = parts.map(({ pattern }) => RE2JS.compile(RE2JS.translateRegExp(pattern), bits))
    // A text that would take too many steps does not match.
    const longest = MOST_STEPS / programs.reduce((sum, program) => sum + program.programSize(), 1)
    return {
      test: (given) =>
        given.length <= longest && programs.every((program, index) => program.test(given) === parts[index]?.isWanted),
    }
  } catch (error) {
    return new PatternError(reasonOf(error))
  }
}

interface Part {
  readonly pattern: string
  readonly isWanted: boolean
}

/**
 * Leading lookaheads become separate patterns that must match, or must not match, at the start of the text. Password
 * policies are written like this: `^(?=.*[0-9])(?!.*\s).{8,}$`.
 */
function partsOf(pattern: string, isMultiline: boolean): readonly Part[] {
  const parts: Part[] = []
  let isAnchored = pattern.startsWith('^')
  let rest = isAnchored ? pattern.slice(1) : pattern
  for (let found = lookahead(rest); found !== null; found = lookahead(rest)) {
    parts.push({ pattern: `^(?:${found.inside})`, isWanted: found.isWanted })
    isAnchored ||= found.isWanted && found.inside.startsWith('^') && !hasChoice(found.inside)
    rest = found.rest
  }
  if (parts.length === 0 || !isAnchored || isMultiline || hasChoice(rest)) return [{ pattern, isWanted: true }]
  return [...parts, { pattern: `^(?:${rest})`, isWanted: true }]
}

/** The leading lookahead of a pattern, and the rest of the pattern. */
function lookahead(pattern: string): { inside: string; isWanted: boolean; rest: string } | null {
  if (!/^\(\?[=!]/u.test(pattern)) return null
  const end = [...outside(pattern)].find(({ depth, character }) => depth === 0 && character === ')')?.at
  if (end === undefined) return null
  return { inside: pattern.slice(3, end), isWanted: pattern[2] === '=', rest: pattern.slice(end + 1) }
}

const hasChoice = (pattern: string): boolean =>
  [...outside(pattern)].some(({ depth, character }) => depth === 0 && character === '|')

/** Yields the characters that are neither escaped nor in a character class, with the parenthesis depth after each. */
function* outside(pattern: string): Generator<{ at: number; character: string; depth: number }> {
  let depth = 0
  let isClass = false
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? ''
    if (character === '\\') {
      at += 1
      continue
    }
    if (isClass) {
      isClass = character !== ']'
      continue
    }
    if (character === '[') isClass = true
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    yield { at, character, depth }
  }
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const found = message.replace(/^error parsing regexp: /u, '')
  return /`\(\?(<?[=!])|invalid escape sequence: `\\[1-9]|invalid named capture: `\(\?<[=!]/u.test(message)
    ? `${found}; back-references and lookaround are not supported, lookaheads at the beginning after ^ are`
    : found
}
