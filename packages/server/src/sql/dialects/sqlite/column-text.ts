import { allowsFlagOnly } from '../base/flag-check.ts'
import { tokensOf } from '../base/sql-tokens.ts'
import { conditionsIn } from './table-text.ts'
import { declaredType } from './types.ts'

/** A column definition: its type, and clauses such as NOT NULL or DEFAULT, each as it was written. */
export interface ColumnParts {
  readonly type: string
  readonly clauses: readonly Clause[]
}

export interface Clause {
  readonly kind: ClauseKind
  readonly text: string
}

const starts = {
  not: 'not-null',
  null: 'null',
  default: 'default',
  primary: 'primary',
  unique: 'unique',
  check: 'check',
  collate: 'collate',
  references: 'references',
  generated: 'generated',
  as: 'generated',
} as const satisfies Record<string, string>

export type ClauseKind = (typeof starts)[keyof typeof starts]

const startOf = (word: string): ClauseKind | undefined =>
  Object.hasOwn(starts, word) ? starts[word as keyof typeof starts] : undefined

/** Words that begin a clause elsewhere but are part of the current clause here. */
function belongsTo(kind: ClauseKind | null, before: string, word: string, next: string): boolean {
  if (kind === 'references')
    return (before === 'set' && (word === 'null' || word === 'default')) || (word === 'not' && next === 'deferrable')
  if (kind === 'generated') return word === 'as' && before === 'always'
  if (kind === 'not-null') return word === 'null' && before === 'not'
  return kind === 'default' && before === 'default'
}

export function readColumn(definition: string): ColumnParts {
  const tokens = tokensOf(definition)
  const clauses: Clause[] = []
  let type = ''
  let kind: ClauseKind | null = null
  let start = 0
  let isNamed = false
  const finish = (end: number) => {
    const text = definition.slice(start, end).trim()
    if (kind === null) type = text
    else if (text !== '') clauses.push({ kind, text })
  }
  for (const [index, token] of tokens.entries()) {
    if (token.depth > 0) continue
    const word = token.text.toLowerCase()
    const before = tokens[index - 1]?.text.toLowerCase() ?? ''
    const next = tokens[index + 1]?.text.toLowerCase() ?? ''
    if (word === 'constraint' && !isNamed) {
      finish(token.start)
      start = token.start
      isNamed = true
      kind = 'null'
      continue
    }
    const begins = startOf(word)
    if (begins === undefined || belongsTo(kind, before, word, next) || (isNamed && before === 'constraint')) continue
    if (isNamed) isNamed = false
    else {
      finish(token.start)
      start = token.start
    }
    kind = begins
  }
  finish(definition.length)
  return { type, clauses }
}

export const writeColumn = ({ type, clauses }: ColumnParts): string =>
  [type, ...clauses.map(({ text }) => text)].filter((part) => part !== '').join(' ')

const without = ({ type, clauses }: ColumnParts, ...kinds: readonly ClauseKind[]): ColumnParts => ({
  type,
  clauses: clauses.filter(({ kind }) => !kinds.includes(kind)),
})

const withClause = (parts: ColumnParts, kind: ClauseKind, text: string): ColumnParts => ({
  ...parts,
  clauses: [...parts.clauses, { kind, text }],
})

/** The clause that keeps other numbers out of a flag; null for other types. */
export const flagCheck = (name: string, type: string): string | null =>
  declaredType(type).baseType === 'bool' ? `check ("${name.replaceAll('"', '""')}" in (0, 1))` : null

/** The checks of a flag go with its type. */
export function setType(definition: string, type: string, name: string): string {
  const { clauses } = readColumn(definition)
  const check = flagCheck(name, type)
  const isFlagCheck = ({ kind, text }: Clause) =>
    kind === 'check' && conditionsIn(text).some((condition) => allowsFlagOnly(condition, name))
  const kept = { type, clauses: clauses.filter((clause) => !isFlagCheck(clause)) }
  return writeColumn(check === null ? kept : withClause(kept, 'check', check))
}

export function setDefault(definition: string, value: string | null): string {
  const parts = without(readColumn(definition), 'default')
  return writeColumn(value === null ? parts : withClause(parts, 'default', `default ${value}`))
}

export function setNullable(definition: string, isNullable: boolean): string {
  const parts = without(readColumn(definition), 'not-null', 'null')
  return writeColumn(isNullable ? parts : withClause(parts, 'not-null', 'not null'))
}

export const dropClause = (definition: string, kind: ClauseKind): string =>
  writeColumn(without(readColumn(definition), kind))
