/** The parsed output of SHOW CREATE TABLE. Definitions are restored exactly as they were. */
export interface TableText {
  /** Definitions by column name, without the name itself. */
  readonly columns: ReadonlyMap<string, string>
  readonly indexes: readonly IndexText[]
  readonly constraints: readonly ConstraintText[]
  readonly comment: string
}

export interface IndexText {
  /** `PRIMARY` for the primary key. */
  readonly name: string
  readonly kind: string
  readonly columns: readonly string[]
  /** Everything after the name. */
  readonly rest: string
}

export interface ConstraintText {
  readonly name: string
  readonly kind: 'foreign-key' | 'check'
  /** The names in it before the referenced table. */
  readonly mentions: readonly string[]
  readonly text: string
}

const NAME = '`(?:[^`]|``)+`'
const unquoted = (name: string) => name.slice(1, -1).replaceAll('``', '`')
export const namesIn = (text: string) => (text.match(new RegExp(NAME, 'gu')) ?? []).map(unquoted)

const columnLine = new RegExp(`^(${NAME}) (.*)$`, 'su')
const indexLine = new RegExp(`^((?:PRIMARY|UNIQUE|FULLTEXT|SPATIAL)? ?KEY) ?(${NAME})? ?(.*)$`, 'su')
const constraintLine = new RegExp(`^CONSTRAINT (${NAME}) (FOREIGN KEY|CHECK) (.*)$`, 'su')

/** Names may contain line breaks. */
const LINE = /(?:`(?:[^`]|``)*`|'(?:[^'\\]|''|\\[^])*'|[^\n`'])+/gu

export function readTable(printed: string): TableText {
  const columns = new Map<string, string>()
  const indexes: IndexText[] = []
  const constraints: ConstraintText[] = []
  const [, ...lines] = printed.match(LINE) ?? []
  for (const line of lines.filter((text) => text.startsWith('  '))) {
    const text = line.trim().replace(/,$/u, '')
    const column = columnLine.exec(text)
    const index = indexLine.exec(text)
    const constraint = constraintLine.exec(text)
    if (column !== null) columns.set(unquoted(column[1] ?? ''), column[2] ?? '')
    else if (index !== null) {
      const rest = index[3] ?? ''
      const name = index[2] === undefined ? 'PRIMARY' : unquoted(index[2])
      indexes.push({ name, kind: index[1] ?? '', columns: namesIn(rest), rest })
    } else if (constraint !== null) {
      const body = constraint[3] ?? ''
      const kind = constraint[2] === 'CHECK' ? 'check' : 'foreign-key'
      const mentions = namesIn(kind === 'check' ? body : (body.split(' REFERENCES ')[0] ?? ''))
      constraints.push({ name: unquoted(constraint[1] ?? ''), kind, mentions, text: `${constraint[2]} ${body}` })
    }
  }
  const comment = / COMMENT=('(?:[^'\\]|''|\\.)*')/su.exec(lines.at(-1) ?? '')?.[1] ?? "''"
  return { columns, indexes, constraints, comment }
}

/** A column's definition, split into the parts that change independently, each as the server prints it. */
export interface ColumnText {
  readonly type: string
  /** The clause that generates the value. */
  readonly generated: string
  readonly isNullable: boolean
  readonly default: string | null
  /** The clauses after the default, such as AUTO_INCREMENT and ON UPDATE. */
  readonly behind: string
  readonly comment: string | null
  readonly check: string
}

const TOKEN = /`(?:[^`]|``)*`|[xX]?'(?:[^'\\]|''|\\[^])*'|[^\s()'`]+|[()]/gu

/** Words and quoted texts. A part in parentheses is one token with the word before it. */
function tokensOf(text: string): string[] {
  const tokens: string[] = []
  let depth = 0
  let end = 0
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const isAttached = depth > 0 || (token === '(' && tokens.length > 0 && index === end)
    if (isAttached) tokens.push((tokens.pop() ?? '') + text.slice(end, index) + token)
    else tokens.push(token)
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    end = index + token.length
  }
  return tokens
}

type Part = 'type' | 'generated' | 'null' | 'default' | 'behind' | 'comment' | 'check'

const opens: Readonly<Record<string, Part>> = {
  GENERATED: 'generated',
  NOT: 'null',
  NULL: 'null',
  DEFAULT: 'default',
  ON: 'behind',
  AUTO_INCREMENT: 'behind',
  INVISIBLE: 'behind',
  COMMENT: 'comment',
  CHECK: 'check',
}

export function readColumn(definition: string): ColumnText {
  const parts: Record<Part, string[]> = {
    type: [],
    generated: [],
    null: [],
    default: [],
    behind: [],
    comment: [],
    check: [],
  }
  let part: Part = 'type'
  for (const token of tokensOf(definition)) {
    const isValue =
      (part === 'default' && parts.default.length === 1) || (part === 'null' && parts.null.join() === 'NOT')
    if (!isValue) part = opens[token] ?? part
    parts[part].push(token)
  }
  const [, ...value] = parts.default
  const printed = value.join(' ')
  return {
    type: parts.type.join(' '),
    generated: parts.generated.join(' '),
    isNullable: parts.null[0] !== 'NOT',
    default: printed === '' || printed === 'NULL' ? null : printed,
    behind: parts.behind.join(' '),
    comment: parts.comment[1] ?? null,
    check: parts.check.join(' '),
  }
}

export function printColumn({
  type,
  generated,
  isNullable,
  default: value,
  behind,
  comment,
  check,
}: ColumnText): string {
  const parts = [type, generated]
  if (generated === '') parts.push(isNullable ? 'NULL' : 'NOT NULL', value === null ? '' : `DEFAULT ${value}`)
  parts.push(behind, comment === null ? '' : `COMMENT ${comment}`, check)
  return parts.filter((part) => part !== '').join(' ')
}
