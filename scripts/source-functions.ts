import type { Token } from './source-tokens.ts'

export interface FoundFunction {
  /** The declared name, or that of the variable or property that holds the function; `(anonymous)` otherwise. */
  readonly name: string
  readonly line: number
  /** The lines of the body, with its braces and with the functions in it. */
  readonly lines: number
}

interface Source {
  readonly tokens: readonly Token[]
  /** Index of an opening bracket → index of its closing bracket. */
  readonly closing: ReadonlyMap<number, number>
}

const NONE: Token = { kind: 'punctuation', text: '', line: 0 }
const OPENERS = new Set(['(', '[', '{'])
const CLOSERS = new Set([')', ']', '}'])

/** Words before a parenthesis that is no list of parameters. */
const CONTROL = new Set(['if', 'for', 'while', 'switch', 'catch', 'await', 'return', 'typeof'])
const TYPE_PREFIXES = new Set(['keyof', 'typeof', 'readonly', 'unique', 'asserts', '|', '&'])
const TYPE_LINKS = new Set(['|', '&', 'is', 'extends'])
/** Words that continue an expression on the next line. */
const CONTINUES = new Set(['instanceof', 'in', 'of', 'as', 'satisfies'])

const isWord = ({ kind }: Token): boolean => kind === 'word'
const isMark = ({ kind, text }: Token, mark: string): boolean => kind === 'punctuation' && text === mark

/** Finds declarations, methods and arrow functions, also arrow functions without braces. */
export function functionsOf(tokens: readonly Token[]): readonly FoundFunction[] {
  const source: Source = { tokens, closing: closingOf(tokens) }
  return tokens.flatMap((token, index) => {
    const close = isMark(token, '(') ? source.closing.get(index) : undefined
    const found = close === undefined ? undefined : functionAt(source, index, close)
    return found === undefined ? [] : [found]
  })
}

function closingOf(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const closing = new Map<number, number>()
  const open: number[] = []
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== 'punctuation') continue
    if (OPENERS.has(text)) open.push(index)
    else if (CLOSERS.has(text)) closing.set(open.pop() ?? -1, index)
  }
  return closing
}

/** The function whose parameters are between two parentheses. */
function functionAt(source: Source, open: number, close: number): FoundFunction | undefined {
  const { tokens, closing } = source
  const at = (index: number): Token => tokens[index] ?? NONE
  const next = isMark(at(close + 1), ':') ? typeEnd(source, close + 2) : close + 1
  const before = beforeGenerics(tokens, open - 1)
  if (isMark(at(next), '=>')) {
    const end = isMark(at(next + 1), '{') ? closing.get(next + 1) : expressionEnd(source, next + 1)
    return bodyOf(source, arrowName(tokens, before), next + 1, end ?? next)
  }
  const name = at(before)
  if (!isMark(at(next), '{') || (!isWord(name) && !isMark(name, '*')) || CONTROL.has(name.text)) return undefined
  return bodyOf(
    source,
    isWord(name) && name.text !== 'function' ? name.text : undefined,
    next,
    closing.get(next) ?? next,
  )
}

function bodyOf({ tokens }: Source, name: string | undefined, first: number, last: number): FoundFunction {
  const { line } = tokens[first] ?? NONE
  return { name: name ?? '(anonymous)', line, lines: endLine(tokens[last] ?? NONE) - line + 1 }
}

const endLine = ({ line, text }: Token): number => line + text.split('\n').length - 1

/** Steps back over `<…>`. */
function beforeGenerics(tokens: readonly Token[], index: number): number {
  if (!isMark(tokens[index] ?? NONE, '>')) return index
  let depth = 0
  for (let at = index; at >= 0; at -= 1) {
    const token = tokens[at] ?? NONE
    if (isMark(token, '>')) depth += 1
    else if (isMark(token, '<')) depth -= 1
    if (depth === 0) return at - 1
  }
  return -1
}

/** `const name =`, `const name: Type =` or `name:` in front of the parameters. */
function arrowName(tokens: readonly Token[], before: number): string | undefined {
  const at = (index: number): Token => tokens[index] ?? NONE
  const equals = at(before).text === 'async' ? before - 1 : before
  const name = at(equals - 1)
  if (isMark(at(equals), ':')) return name.text
  if (!isMark(at(equals), '=')) return undefined
  if (isDeclaring(at(equals - 2))) return name.text
  const start = tokens.findLastIndex((token, index) => index < equals && isDeclaring(token))
  return at(start + 1).text
}

const isDeclaring = (token: Token): boolean => isWord(token) && ['const', 'let'].includes(token.text)

/** The index after a type that begins at an index. */
function typeEnd(source: Source, start: number): number {
  const { tokens } = source
  let index = start
  while (TYPE_PREFIXES.has(tokens[index]?.text ?? '')) index += 1
  index = afterOperand(source, index)
  return TYPE_LINKS.has(tokens[index]?.text ?? '') ? typeEnd(source, index + 1) : index
}

function afterOperand(source: Source, start: number): number {
  const { tokens, closing } = source
  const at = (index: number): Token => tokens[index] ?? NONE
  const close = closing.get(start)
  // A function type; the arrow of the function itself follows its whole return type.
  if (isMark(at(start), '(') && close !== undefined && isMark(at(close + 1), '=>')) return typeEnd(source, close + 2)
  let index = (close ?? start) + 1
  while (isMark(at(index), '.')) index += 2
  if (isMark(at(index), '<')) index = afterGenerics(source, index)
  while (isMark(at(index), '[')) index = (closing.get(index) ?? index) + 1
  return index
}

function afterGenerics({ tokens, closing }: Source, start: number): number {
  let depth = 0
  for (let index = start; index < tokens.length; index = (closing.get(index) ?? index) + 1) {
    const token = tokens[index] ?? NONE
    if (isMark(token, '<')) depth += 1
    else if (isMark(token, '>')) depth -= 1
    if (depth === 0) return index + 1
  }
  return tokens.length
}

/** The last token of an expression: before a comma, a closing bracket or the next statement. */
function expressionEnd({ tokens, closing }: Source, start: number): number {
  let last = closing.get(start) ?? start
  for (let index = last + 1; index < tokens.length; index = last + 1) {
    const token = tokens[index] ?? NONE
    if (isMark(token, ',') || isMark(token, ';') || (token.kind === 'punctuation' && CLOSERS.has(token.text))) break
    if (beginsStatement(token, tokens[last] ?? NONE)) break
    last = closing.get(index) ?? index
  }
  return last
}

/** Statements end without semicolons: a word on a new line begins one if it follows a value. */
function beginsStatement(token: Token, previous: Token): boolean {
  if (!isWord(token) || CONTINUES.has(token.text) || token.line <= endLine(previous)) return false
  return previous.kind !== 'punctuation' || CLOSERS.has(previous.text)
}
