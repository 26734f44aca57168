export interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly depth: number
}

const tokenPattern =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[\p{L}\p{N}_$]+|\s+|./gu

const isNothing = (text: string) => /^(\s|--|\/\*)/u.test(text)

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let depth = 0
  for (const { 0: found, index } of text.matchAll(tokenPattern)) {
    if (found === ')') depth -= 1
    if (!isNothing(found)) tokens.push({ text: found, start: index, end: index + found.length, depth })
    if (found === '(') depth += 1
  }
  return tokens
}

/** A name without its quotes. */
export function plainName(token: string): string {
  const quote = token[0] ?? ''
  if (quote === '[') return token.slice(1, -1)
  return ['"', '`', "'"].includes(quote) ? token.slice(1, -1).replaceAll(quote + quote, quote) : token
}
