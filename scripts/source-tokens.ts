/** A TypeScript source as words, strings and punctuation; comments and regular expressions are left out. */
export interface Token {
  readonly kind: 'word' | 'string' | 'punctuation'
  readonly text: string
  readonly line: number
}

export interface Import {
  readonly specifier: string
  readonly typeOnly: boolean
  /** The names between the braces as the exporting file calls them. */
  readonly names: readonly string[]
  readonly line: number
}

const BLANK = /\s+/y
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y
const WORD = /[\p{ID_Start}$_#][\p{ID_Continue}$]*/uy
const NUMBER = /\d[\w.]*/y
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y
const TEMPLATE_PART = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const PUNCTUATION = /=>|\.\.\.|\?\.(?!\d)|[!=]==?|[\s\S]/y

const BEFORE_REGEX = new Set(['return', 'typeof', 'case', 'in', 'of', 'do', 'else', 'void', 'delete', 'await', 'yield'])

/** After a value, a slash is a division; everywhere else it begins a regular expression. */
function slashBeginsRegex(previous: Token | undefined): boolean {
  if (previous === undefined) return true
  if (previous.kind === 'string') return false
  if (previous.kind === 'word') return BEFORE_REGEX.has(previous.text)
  return ![')', ']', '}'].includes(previous.text)
}

export function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = []
  /** One entry per open template expression: the number of braces open inside it. */
  const templates: number[] = []
  let at = 0
  let line = 1

  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const text = pattern.exec(source)?.[0]
    if (text === undefined) return undefined
    at += text.length
    return text
  }
  const push = (kind: Token['kind'], text: string, raw = text): void => {
    tokens.push({ kind, text, line })
    line += raw.split('\n').length - 1
  }
  const takeTemplatePart = (): void => {
    const text = take(TEMPLATE_PART) ?? ''
    push('string', text)
    if (source.startsWith('${', at)) templates.push(0)
    at += source.startsWith('${', at) ? 2 : 1
  }
  const takeBrace = (brace: string): void => {
    const open = templates.at(-1)
    if (brace === '}' && open === 0) {
      templates.pop()
      takeTemplatePart()
      return
    }
    if (open !== undefined) templates[templates.length - 1] = open + (brace === '{' ? 1 : -1)
    push('punctuation', brace)
  }

  while (at < source.length) {
    const skipped = take(BLANK) ?? take(COMMENT) ?? (slashBeginsRegex(tokens.at(-1)) ? take(REGEX) : undefined)
    if (skipped !== undefined) {
      line += skipped.split('\n').length - 1
      continue
    }
    const word = take(WORD) ?? take(NUMBER)
    if (word !== undefined) {
      push('word', word)
      continue
    }
    const quoted = take(STRING)
    if (quoted !== undefined) {
      push('string', quoted.slice(1, -1), quoted)
      continue
    }
    const mark = take(PUNCTUATION) ?? ''
    if (mark === '`') takeTemplatePart()
    else if (mark === '{' || mark === '}') takeBrace(mark)
    else push('punctuation', mark)
  }
  return tokens
}

const NONE: Token = { kind: 'punctuation', text: '', line: 0 }

const isWord = (token: Token, text: string): boolean => token.kind === 'word' && token.text === text
const isMark = (token: Token, text: string): boolean => token.kind === 'punctuation' && token.text === text

/** Reads `import …`, `export … from` and `import(…)`; declarations such as `export const` are skipped. */
export function importsOf(tokens: readonly Token[]): readonly Import[] {
  return tokens.flatMap((token, index) => {
    if (!isWord(token, 'import') && !isWord(token, 'export')) return []
    const before = tokens[index - 1] ?? NONE
    if (isMark(before, '.') || isMark(before, '?.')) return []
    const found = importAt(tokens, index, before)
    return found === undefined ? [] : [found]
  })
}

function importAt(tokens: readonly Token[], start: number, before: Token): Import | undefined {
  const { line, text: keyword } = tokens[start] ?? NONE
  const next = tokens[start + 1] ?? NONE
  if (keyword === 'import' && next.kind === 'string') {
    return { specifier: next.text, typeOnly: false, names: [], line }
  }
  if (keyword === 'import' && isMark(next, '(')) {
    const argument = tokens[start + 2] ?? NONE
    if (argument.kind !== 'string') return undefined
    return { specifier: argument.text, typeOnly: isWord(before, 'typeof'), names: [], line }
  }
  // `import { type A }` keeps its run-time import under verbatimModuleSyntax, so only a leading `type` counts.
  const afterType = tokens[start + 2] ?? NONE
  const typeOnly = isWord(next, 'type') && !isMark(afterType, ',') && !isWord(afterType, 'from')
  const clause = clauseAt(tokens, start + (typeOnly ? 2 : 1))
  return clause === undefined ? undefined : { ...clause, typeOnly, line }
}

function clauseAt(tokens: readonly Token[], start: number): Pick<Import, 'specifier' | 'names'> | undefined {
  const names: string[] = []
  let inBraces = false
  for (let index = start; index < tokens.length; index++) {
    const token = tokens[index] ?? NONE
    const next = tokens[index + 1] ?? NONE
    if (!inBraces && isWord(token, 'from') && next.kind === 'string') return { specifier: next.text, names }
    if (isMark(token, '{')) inBraces = true
    else if (isMark(token, '}')) inBraces = false
    else if (inBraces && token.kind !== 'punctuation') {
      if (!isWord(tokens[index - 1] ?? NONE, 'as') && token.text !== 'as' && token.text !== 'type')
        names.push(token.text)
    } else if (!partOfClause(token)) return undefined
  }
  return undefined
}

const DECLARES = new Set([
  'const',
  'let',
  'var',
  'function',
  'class',
  'interface',
  'default',
  'async',
  'declare',
  'abstract',
  'import',
  'export',
])

const partOfClause = (token: Token): boolean =>
  token.kind === 'punctuation' ? ['*', ','].includes(token.text) : token.kind === 'word' && !DECLARES.has(token.text)
