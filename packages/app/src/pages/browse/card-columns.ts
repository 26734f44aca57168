import type { Column } from '../../grid/column.ts'
import type { Kind } from '../../model/kind.ts'

interface CardColumns {
  readonly title: Column | null
  readonly below: Column | null
  readonly end: Column | null
}

const naming: ReadonlySet<Kind> = new Set(['text', 'relation', 'list', 'other'])
const figures: readonly Kind[] = ['choice', 'number', 'boolean', 'date', 'moment']
const saying: readonly Kind[] = ['text', 'moment', 'date', 'number', 'relation', 'choice', 'key']

/** The three fields of a card: what names the row, what says more, and its state or figure. */
export function cardColumns(columns: readonly Column[]): CardColumns {
  const title = columns.find(({ kind }) => naming.has(kind)) ?? columns[0] ?? null
  const end = firstOf(columns, figures, [title])
  const below = firstOf(columns, saying, [title, end])
  return { title, below, end }
}

function firstOf(columns: readonly Column[], kinds: readonly Kind[], taken: readonly (Column | null)[]): Column | null {
  for (const kind of kinds) {
    const found = columns.find((each) => each.kind === kind && !taken.includes(each))
    if (found !== undefined) return found
  }
  return null
}
