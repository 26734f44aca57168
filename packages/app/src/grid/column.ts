import type { Field } from '../model/field.ts'
import type { Kind } from '../model/kind.ts'
import { templatePaths } from '../model/template.ts'
import { keyPaths } from '../model/key.ts'

/** A column of the grid. Keep the objects stable: rows are drawn again when they change. */
export interface Column {
  /** The path of its value: `total`, or `customer.name`. */
  readonly path: string
  readonly field: Field
  readonly kind: Kind
  readonly label: string
  readonly width: number
  /** Where a relation leads: the words of the related row, and the fields that name it. */
  readonly related?: { readonly collection: string; readonly template: string; readonly key: readonly string[] }
  /** Where the rows of a count are: their collection, and its field that refers to the row. */
  readonly counted?: { readonly collection: string; readonly field: string }
  /** Why its cells cannot be changed; null: they can. */
  readonly whyReadOnly: string | null
}

/** What to ask for to draw the columns: relations by their key and the words of their template. */
export function requestedFields(columns: readonly Column[], key: readonly string[]): readonly string[] {
  const asked = new Set<string>()
  for (const { path, related } of columns) {
    if (related === undefined) asked.add(path)
    else for (const each of [...keyPaths(related), ...templatePaths(related.template)]) asked.add(`${path}.${each}`)
  }
  const isAsked = (name: string): boolean => [...asked].some((path) => path === name || path.startsWith(`${name}.`))
  return [...asked, ...keyPaths({ key }).filter((name) => !isAsked(name))]
}
