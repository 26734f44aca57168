import { plainName, tokensOf, type Token } from '../base/sql-tokens.ts'

/**
 * A CREATE TABLE statement, split into its parts. The database stores it as it was written, and nothing else contains
 * all of it.
 */
export interface TableText {
  /** Each as it was written, without the comma after it. */
  readonly columns: readonly ColumnText[]
  readonly constraints: readonly string[]
  /** The options after the definitions: `STRICT`, `WITHOUT ROWID`. */
  readonly options: string
}

export interface ColumnText {
  readonly name: string
  /** Everything after the name. */
  readonly definition: string
}

const constraintWords = new Set(['constraint', 'primary', 'unique', 'check', 'foreign'])

/** null for tables that were not created from a list of columns: `create table … as select`, virtual tables. */
export function readTable(text: string): TableText | null {
  const tokens = tokensOf(text)
  const open = tokens.findIndex((token) => token.text === '(' && token.depth === 0)
  const close = tokens.findLastIndex((token) => token.text === ')' && token.depth === 0)
  const last = tokens[close]
  const first = tokens[open]
  if (first === undefined || last === undefined) return null
  const columns: ColumnText[] = []
  const constraints: string[] = []
  let part: Token[] = []
  const finish = () => {
    const [name] = part
    const end = part.at(-1)?.end ?? 0
    if (name === undefined) return
    if (constraintWords.has(name.text.toLowerCase())) constraints.push(text.slice(name.start, end))
    else columns.push({ name: plainName(name.text), definition: text.slice(name.end, end).trim() })
    part = []
  }
  for (const token of tokens.slice(open + 1, close)) {
    if (token.text === ',' && token.depth === 1) finish()
    else part.push(token)
  }
  finish()
  return { columns, constraints, options: text.slice(last.end).trim() }
}

const lower = ({ text }: Token) => text.toLowerCase()

/** The expression of a generated column: the text in parentheses after AS. */
export function generationOf(definition: string): string | null {
  const tokens = tokensOf(definition)
  const as = tokens.findIndex(
    (token, index) => token.depth === 0 && lower(token) === 'as' && tokens[index + 1]?.text === '(',
  )
  const open = tokens[as + 1]
  if (as === -1 || open === undefined) return null
  const close = tokens.slice(as + 2).find((token) => token.text === ')' && token.depth === open.depth)
  return close === undefined ? null : definition.slice(open.end, close.start).trim()
}

/** The conditions of all CHECK constraints. */
export const checksOf = ({ columns, constraints }: TableText): readonly string[] =>
  [...columns.map(({ definition }) => definition), ...constraints].flatMap(conditionsIn)

/** The conditions of the CHECK clauses in a definition. */
export function conditionsIn(text: string): readonly string[] {
  const tokens = tokensOf(text)
  return tokens.flatMap((token, index) => {
    const open = tokens[index + 1]
    if (token.depth > 0 || lower(token) !== 'check' || open?.text !== '(') return []
    const close = tokens.slice(index + 2).find((other) => other.text === ')' && other.depth === open.depth)
    return close === undefined ? [] : [text.slice(open.end, close.start)]
  })
}

/** Whether a name occurs in a text, in any kind of identifier quotes. */
export const mentions = (text: string, name: string): boolean =>
  tokensOf(text).some(
    (token) => !token.text.startsWith("'") && plainName(token.text).toLowerCase() === name.toLowerCase(),
  )

/** `constraint name …`; null for a constraint without a name. */
export function constraintName(text: string): string | null {
  const [first, name] = tokensOf(text)
  return first?.text.toLowerCase() === 'constraint' && name !== undefined ? plainName(name.text) : null
}

/** Names in the first parentheses: the columns of a constraint. */
export function columnsIn(text: string): string[] {
  const tokens = tokensOf(text)
  const open = tokens.findIndex((token) => token.text === '(' && token.depth === 0)
  const close = tokens.findIndex((token, index) => index > open && token.text === ')' && token.depth === 0)
  const inside = open === -1 ? [] : tokens.slice(open + 1, close)
  return inside.filter(({ text: part, depth }) => part !== ',' && depth === 1).map((token) => plainName(token.text))
}

/** Whether a trigger fires on inserts: the event follows its name, possibly after the timing, such as BEFORE. */
export function isInsertTrigger(text: string): boolean {
  const words = tokensOf(text).map(lower)
  const named = words.indexOf('trigger') + (words[words.indexOf('trigger') + 1] === 'if' ? 4 : 1)
  const after = words.slice(words[named + 1] === '.' ? named + 3 : named + 1)
  return after.find((word) => ['insert', 'update', 'delete'].includes(word)) === 'insert'
}
