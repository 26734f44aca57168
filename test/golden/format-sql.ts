/** Breaks a statement at its clauses and indents it by parentheses, so that a changed plan shows as changed lines. */
export function formatSql(text: string): string {
  const tokens = tokenize(text)
  const lines: string[] = []
  const opened: boolean[] = []
  let line = ''
  const depth = () => opened.filter(Boolean).length
  const flush = () => {
    if (line.trim() !== '') lines.push(line.trimEnd())
    line = '  '.repeat(depth())
  }
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1] ?? ''
    if (token === '(') {
      const isBlock = next === 'select'
      line += '('
      opened.push(isBlock)
      if (isBlock) flush()
    } else if (token === ')') {
      if (opened.pop() === true) flush()
      line += ')'
    } else if (startsClause(token, tokens[index - 1]) && opened.at(-1) !== false) {
      flush()
      line += token
    } else if (token === ' ' && line.trim() === '') continue
    else line += token
  }
  flush()
  return `${lines.join('\n')}\n`
}

const clauses = new Set([
  'from',
  'where',
  'order by',
  'group by',
  'limit',
  'offset',
  'left join',
  'case',
  'when',
  'else',
])

const startsClause = (token: string, before: string | undefined) => before === ' ' && clauses.has(token)

/** Words, quoted strings and names are one token each; a run of whitespace becomes one space. */
function tokenize(text: string): string[] {
  const pattern = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\b(?:order by|group by|left join)\b|\w+|\s+|[^\s\w]/gu
  return [...text.matchAll(pattern)].map(([token]) => (/^\s/u.test(token) ? ' ' : token))
}

export const sameWords = (text: string): string => text.replaceAll(/\s+/gu, '')

/** The literals of a statement: the content of its single-quoted strings. */
export const literalsOf = (text: string): string[] =>
  [...text.matchAll(/"(?:[^"]|"")*"|'((?:[^']|'')*)'/gu)].flatMap(([, literal]) =>
    literal === undefined ? [] : [literal],
  )
