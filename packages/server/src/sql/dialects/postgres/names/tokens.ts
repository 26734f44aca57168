/** A token of a statement of PostgreSQL, as this service writes them. */
export interface Token {
  readonly kind: 'word' | 'quoted' | 'text' | 'number' | 'parameter' | 'operator' | 'mark'
  readonly text: string
  /** The space and comments before it. */
  readonly space: string
}

const PATTERN =
  /(?<space>(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*)(?:(?<text>e'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|\$(?<tag>[a-z_]*)\$[\s\S]*?\$\k<tag>\$)|(?<word>[a-z_\u0080-\uffff][\w$\u0080-\uffff]*)|(?<quoted>"(?:[^"]|"")*")|(?<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(?<parameter>\$\d+)|(?<mark>::|[()[\],;.:])|(?<operator>(?:(?!--|\/\*)[-+*/<>=~!@#%^&|`?])+))/iuy

/** Comments at the end are not sent. */
const COMMENT = /\s*(?:--[^\n]*\n?\s*|\/\*[\s\S]*?\*\/\s*)+$/uy

/** An operator of several characters ends in + or - only if it has one of these. */
const MAY_END_IN_SIGN = /[~!@#%^&|`?]/u

const kinds = ['word', 'quoted', 'text', 'number', 'parameter', 'operator', 'mark'] as const

export function tokensOf(statement: string): Token[] {
  const tokens: Token[] = []
  const end = statement.trimEnd().length
  let at = 0
  while (at < end) {
    PATTERN.lastIndex = at
    const groups = PATTERN.exec(statement)?.groups
    const kind = kinds.find((each) => groups?.[each] !== undefined)
    if (groups === undefined || kind === undefined) {
      COMMENT.lastIndex = at
      if (COMMENT.test(statement)) return tokens
      throw new SyntaxError(`no token of SQL at ${at}`)
    }
    at = PATTERN.lastIndex
    let text = groups[kind] ?? ''
    if (kind === 'operator' && !MAY_END_IN_SIGN.test(text))
      while (text.length > 1 && /[+-]$/u.test(text)) {
        text = text.slice(0, -1)
        at -= 1
      }
    tokens.push({ kind, text, space: groups['space'] ?? '' })
  }
  return tokens
}
