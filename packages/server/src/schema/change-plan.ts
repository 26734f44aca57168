import type { SchemaPlan } from '@tain/contract'
import type {
  DdlPlan,
  DdlStatement,
  DdlStatements,
  Obstacle,
  PrintedTable,
  SchemaChange,
  TableRef,
} from '../sql/ddl.ts'
import { DatabaseError, type Row } from '../sql/driver.ts'
import type { ChangeContext } from './change-context.ts'
import { nameOf, type FoundObstacle } from './change-faults.ts'
import { patiently } from './change-waiting.ts'

/** Table size in bytes; scanning a larger table blocks other statements for too long. */
const LARGE = 1024 ** 2

export interface TableSizes {
  readonly rowsOf: (table: TableRef) => number
  readonly isLarge: (table: TableRef) => boolean
  readonly total: number
}

export async function sizesOf(context: ChangeContext, changes: readonly SchemaChange[]): Promise<TableSizes> {
  const { schemaDriver, ddl } = context.database
  const tables = [...new Map(changes.map(({ table }) => [nameOf(table), table])).values()]
  const rows = tables.length === 0 ? [] : await patiently(context, () => schemaDriver.query(ddl.sizes(tables)))
  const sizes = new Map(
    tables.map((table, index) => {
      const [count, bytes, isPlain] = rows[index] ?? []
      return [nameOf(table), { rows: Number(count), isLarge: isPlain === 't' && Number(bytes) > LARGE }]
    }),
  )
  return {
    rowsOf: (table) => sizes.get(nameOf(table))?.rows ?? 0,
    isLarge: (table) => sizes.get(nameOf(table))?.isLarge ?? false,
    total: [...sizes.values()].reduce((sum, { rows: count }) => sum + count, 0),
  }
}

export async function obstaclesTo(
  context: ChangeContext,
  changes: readonly SchemaChange[],
): Promise<readonly FoundObstacle[]> {
  const { schemaDriver, ddl } = context.database
  const found: FoundObstacle[] = []
  const onExisting = changes.filter((change) => !isOnNew(change, changes))
  for (const obstacle of [...permissionsFor(onExisting, ddl), ...onExisting.flatMap(ddl.obstaclesTo)]) {
    const [row] = await patiently(context, () => schemaDriver.query(obstacle.count))
    if (Number(row?.[0]) > 0) found.push({ ...obstacle, found: Number(row?.[0]), names: row?.[1] ?? null })
  }
  return found
}

const permissionsFor = (changes: readonly SchemaChange[], { permission }: DdlStatements): readonly Obstacle[] => {
  if (permission === null) return []
  const tables = new Map(changes.map(({ table }) => [nameOf(table), table]))
  return [...tables.values()].map((table) => ({ kind: 'not-permitted', table, column: null, count: permission(table) }))
}

/** Changes to an object that exists now, even if a new object takes its name. */
const going: ReadonlySet<SchemaChange['kind']> = new Set(['drop-table', 'drop-column', 'check-empty'])

/**
 * Whether a change applies to an object that the same plan creates: it has no rows that could block the change, and
 * cannot be queried yet.
 */
function isOnNew(change: SchemaChange, all: readonly SchemaChange[]): boolean {
  if (going.has(change.kind)) return false
  const isMade = (table: TableRef, column: string | null) =>
    all.some((other) => {
      if (nameOf(other.table) !== nameOf(table) || other === change) return false
      if (other.kind === 'create-table') return true
      if (other.kind === 'add-column') return other.column.name === column
      return other.kind === 'set-type' && change.kind !== 'set-not-null' && other.column === column
    })
  if (isMade(change.table, 'column' in change && typeof change.column === 'string' ? change.column : null)) return true
  if (change.kind !== 'add-foreign-key') return false
  const pairs = [[change.column, change.toColumn] as const, ...(change.rest ?? [])]
  return pairs.some(([from, to]) => isMade(change.table, from) || isMade(change.to, to))
}

export async function planFor(
  context: ChangeContext,
  changes: readonly SchemaChange[],
  { isLarge }: TableSizes,
): Promise<DdlPlan> {
  return context.database.ddl.plan(changes, isLarge, await printedTables(context, changes))
}

/** Tables that are changed, and those that new foreign keys refer to. */
const tablesOf = (changes: readonly SchemaChange[]): readonly TableRef[] =>
  changes.flatMap((change) => (change.kind === 'add-foreign-key' ? [change.table, change.to] : [change.table]))

/** Their definitions, if the plan needs them. */
async function printedTables(context: ChangeContext, changes: readonly SchemaChange[]): Promise<PrintedTable> {
  const { schemaDriver, ddl } = context.database
  const printed = new Map<string, string | null>()
  const { print } = ddl
  if (print !== null)
    for (const table of tablesOf(changes)) {
      if (printed.has(nameOf(table))) continue
      const [row] = await patiently(context, () => schemaDriver.query(print(table))).catch(noneWhenMissing)
      printed.set(nameOf(table), row?.at(-1) ?? null)
    }
  return (table) => printed.get(nameOf(table)) ?? null
}

const noneWhenMissing = (error: unknown): readonly Row[] => {
  if (error instanceof DatabaseError && error.fault === 'schema-changed') return []
  throw error
}

/** The plan as a dry run responds with it. */
export const describePlan = (
  { preparations, statements, afterwards = [] }: DdlPlan,
  { rowsOf, total }: TableSizes,
  blocks: SchemaPlan['blocks'],
): SchemaPlan => ({
  statements: [...preparations, ...statements, ...afterwards].map(
    ({ statement, table, lock, rewrites, scans }: DdlStatement) => ({
      sql: statement.text,
      table: nameOf(table),
      lock,
      rewrites,
      scans,
      rows: rowsOf(table),
    }),
  ),
  rows: total,
  blocks,
})
