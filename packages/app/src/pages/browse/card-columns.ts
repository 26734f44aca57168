import type { Column } from '../../grid/column.ts'
import type { Kind } from '../../model/kind.ts'

interface CardColumns {
  readonly title: Column | null
  readonly below: Column | null
  readonly end: Column | null
}

const naming: readonly Kind[] = ['text', 'relation', 'list', 'other', 'key']
const figures: readonly Kind[] = ['choice', 'number', 'boolean', 'date', 'moment']

/** The three fields of a card: what names the row, what says more, and its state or figure. */
export function cardColumns(columns: readonly Column[]): CardColumns {
  const title = firstOf(columns, naming, []) ?? columns[0] ?? null
  const end = firstOf(columns, figures, [title]) ?? null
  const below = columns.find((each) => each !== title && each !== end && each.kind !== 'secret') ?? null
  return { title, below, end }
}

function firstOf(
  columns: readonly Column[],
  kinds: readonly Kind[],
  taken: readonly (Column | null)[],
): Column | undefined {
  for (const kind of kinds) {
    const found = columns.find((each) => each.kind === kind && !taken.includes(each))
    if (found !== undefined) return found
  }
  return undefined
}
