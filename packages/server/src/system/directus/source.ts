import { ServiceError } from '@tain/contract'
import type { Catalogue } from '../../schema/change.ts'
import type { Collection, Schema } from '../../schema/schema.ts'
import type { Finding } from './findings.ts'
import { directusTables, expendable, isDirectus, type DirectusTable, type TableFate } from './tables.ts'
import type { TextRow } from './values.ts'

/** The rows of Directus, and its tables as the catalogue describes them. */
export interface Source {
  /** The rows of a table; none if the table does not exist. */
  rows(table: DirectusTable): readonly TextRow[]
  readonly tables: ReadonlyMap<string, Collection>
  /** Tables with rows that no table takes. */
  readonly withoutEqual: readonly Finding[]
}

const needed = ['directus_collections', 'directus_fields', 'directus_relations', 'directus_users'] as const

/** Reads the tables in the default schema. Only columns that the catalogue lists are read. */
export async function readSource(schema: Schema, catalogue: Catalogue): Promise<Source> {
  const tables = new Map([...schema.collections].filter(([name, { isSystem }]) => isDirectus(name) && !isSystem))
  const missing = needed.filter((name) => !tables.has(name))
  if (missing.length > 0)
    throw new ServiceError(
      'UNPROCESSABLE_CONTENT',
      `The schema "${schema.defaultSchema}" has no table ${missing[0]}: it is no database of Directus, or Directus uses another schema. Check DATABASE_URL.`,
    )
  const read = new Map<string, readonly TextRow[]>()
  const withoutEqual: Finding[] = []
  for (const [name, table] of tables) {
    const fate: TableFate | undefined = Object.hasOwn(directusTables, name)
      ? directusTables[name as DirectusTable]
      : undefined
    if (fate !== undefined && 'to' in fate) read.set(name, await rowsOf(table, catalogue))
    else if (!expendable.has(name)) withoutEqual.push(...(await countOf(table, fate?.reason, catalogue)))
  }
  return { rows: (name) => read.get(name) ?? [], tables, withoutEqual }
}

async function rowsOf(table: Collection, catalogue: Catalogue): Promise<readonly TextRow[]> {
  const columns = [...table.columns.keys()]
  const cells = await catalogue.cells(table, columns)
  return cells.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])))
}

async function countOf(table: Collection, reason: string | undefined, catalogue: Catalogue): Promise<Finding[]> {
  const count = await catalogue.count(table)
  const why = `${count} ${count === 1 ? 'row' : 'rows'}. ${reason ?? 'The table is not known.'}`
  return count === 0 ? [] : [{ kind: 'table', what: table.name, why }]
}
