import type { DatabaseTable } from '../../database-schema.ts'

/** An index as the catalogue has it. */
export interface CatalogueIndex {
  readonly isUnique: boolean
  /** null: it covers something else than whole columns of all rows. */
  readonly columns: readonly string[] | null
  /** null: it begins with something else than a column. */
  readonly leading: string | null
}

/**
 * The sets of columns that are unique, each once, and the columns that other indexes begin with. A second constraint on
 * the same columns in another order is such an index.
 */
export function indexColumns(indexes: readonly CatalogueIndex[]): Pick<DatabaseTable, 'uniques' | 'indexed'> {
  const uniques = new Map<string, readonly string[]>()
  const repeated: string[] = []
  const indexed = new Set<string>()
  for (const { isUnique, columns, leading } of indexes) {
    const set = isUnique && columns !== null ? JSON.stringify(columns.toSorted()) : null
    if (set !== null && columns !== null && !uniques.has(set)) uniques.set(set, columns)
    else if (leading !== null && set === null) indexed.add(leading)
    else if (leading !== null) repeated.push(leading)
  }
  const firsts = new Set([...uniques.values()].map(([first]) => first))
  for (const leading of repeated) if (!firsts.has(leading)) indexed.add(leading)
  return { uniques: [...uniques.values()], indexed: [...indexed] }
}
