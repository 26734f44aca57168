import type { PrintedTable, TableRef } from '../../ddl.ts'
import { quotedTable } from './names.ts'
import { readColumn, readTable, type ColumnText, type ConstraintText, type IndexText } from './table-text.ts'

/** A table as it is after the steps planned so far. */
export interface Draft {
  readonly columns: Map<string, ColumnText>
  readonly indexes: IndexText[]
  readonly constraints: ConstraintText[]
  /** As an SQL literal. */
  comment: string
  column(name: string): ColumnText
  remove(constraint: string): void
  removeIndex(name: string): void
}

export interface Drafts {
  has(table: TableRef): boolean
  of(table: TableRef): Draft
  create(table: TableRef, columns: readonly (readonly [string, ColumnText])[]): void
  drop(table: TableRef): void
}

export function createDrafts(printed: PrintedTable): Drafts {
  const drafts = new Map<string, Draft | null>()
  const find = (table: TableRef): Draft | null => {
    const name = quotedTable(table)
    const known = drafts.get(name)
    if (known !== undefined) return known
    const text = printed(table)
    const draft = text === null ? null : draftOf(text)
    drafts.set(name, draft)
    return draft
  }
  return {
    has: (table) => find(table) !== null,
    of(table) {
      const draft = find(table)
      if (draft === null) throw new TypeError(`there is no table ${quotedTable(table)} to change`)
      return draft
    },
    create(table, columns) {
      drafts.set(quotedTable(table), createDraft(new Map(columns), [], [], "''"))
    },
    drop(table) {
      drafts.set(quotedTable(table), null)
    },
  }
}

function draftOf(text: string): Draft {
  const { columns, indexes, constraints, comment } = readTable(text)
  const read = [...columns].map(([name, definition]) => [name, readColumn(definition)] as const)
  return createDraft(new Map(read), [...indexes], [...constraints], comment)
}

function createDraft(
  columns: Map<string, ColumnText>,
  indexes: IndexText[],
  constraints: ConstraintText[],
  comment: string,
): Draft {
  const removeFrom = (list: { readonly name: string }[], name: string) => {
    const index = list.findIndex((entry) => entry.name === name)
    if (index >= 0) list.splice(index, 1)
  }
  return {
    columns,
    indexes,
    constraints,
    comment,
    column(name) {
      const found = columns.get(name)
      if (found === undefined) throw new TypeError(`there is no column "${name}" to change`)
      return found
    },
    remove: (name) => removeFrom(constraints, name),
    removeIndex: (name) => removeFrom(indexes, name),
  }
}
