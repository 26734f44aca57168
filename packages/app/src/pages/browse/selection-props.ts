import type { Column } from '../../grid/column.ts'
import type { Selection } from '../../grid/selection.ts'
import type { RowSource } from '../../grid/source.ts'
import type { Collection } from '../../model/collection.ts'
import type { Field } from '../../model/field.ts'

/** The checked rows, and what is needed to work on them. */
export interface SelectionProps {
  readonly collection: Collection
  readonly fields: readonly Field[]
  readonly columns: readonly Column[]
  readonly source: RowSource
  readonly selection: Selection
  readonly onSelect: (selection: Selection) => void
}
