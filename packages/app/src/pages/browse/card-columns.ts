import type { Column } from '../../grid/column.ts'
import type { Kind } from '../../model/kind.ts'
import { templatePaths } from '../../model/template.ts'

interface CardColumns {
  /** The display template, if the columns have all its values: it names the row instead of the title. */
  readonly template: string | null
  readonly title: Column | null
  readonly below: Column | null
  readonly end: Column | null
}

const naming: ReadonlySet<Kind> = new Set(['text', 'relation', 'list', 'other'])
const figures: readonly Kind[] = ['choice', 'number', 'boolean', 'date', 'moment']
const saying: readonly Kind[] = ['text', 'moment', 'date', 'number', 'relation', 'choice', 'key']

/** The three fields of a card: what names the row, what says more, and its state or figure. */
export function cardColumns(columns: readonly Column[], template: string): CardColumns {
  const named = templatePaths(template).map((path) => columns.find((each) => each.path === path))
  const isNamed = named.length > 0 && named.every((each) => each !== undefined)
  const taken = isNamed ? named : [columns.find(({ kind }) => naming.has(kind)) ?? columns[0] ?? null]
  const end = firstOf(columns, figures, taken)
  const below = firstOf(columns, saying, [...taken, end])
  return { template: isNamed ? template : null, title: taken[0] ?? null, below, end }
}

function firstOf(columns: readonly Column[], kinds: readonly Kind[], taken: readonly (Column | null)[]): Column | null {
  for (const kind of kinds) {
    const found = columns.find((each) => each.kind === kind && !taken.includes(each))
    if (found !== undefined) return found
  }
  return null
}
