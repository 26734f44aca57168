import { run, statementOf, type Database } from '../sql/database.ts'
import { STRUCTURE_LEASE } from '../sql/ddl.ts'
import { DatabaseError, type Driver, type Row, type Statement, type Transaction } from '../sql/driver.ts'
import { MIGRATIONS } from '../sql/service/migrations.ts'
import { countRows } from '../sql/service/removal.ts'
import { serviceTableNames, tables } from '../sql/service/tables.ts'
import { takeLease } from './lease.ts'
import { appliedMigrations, refuseNewer } from './migrate.ts'

/** One statement of a removal, and what it costs. */
export interface RemovalPart {
  readonly lost: string
  readonly statement: Statement
}

/** Everything that removes the service from a database, and the objects that stay or prevent it. */
export interface Removal {
  /** In the order in which they run; empty if the database has no object of the service. */
  readonly parts: readonly RemovalPart[]
  /** Objects in the service's schema that the service did not create. */
  readonly others: readonly string[]
  /** Objects that use the service's tables and would break. */
  readonly dependents: readonly string[]
  /** The schema of the service stays, because it holds other objects or another role owns it. */
  readonly keepsSchema: boolean
  /** A schema change was interrupted and has to be undone first. */
  readonly hasUnfinishedChange: boolean
  /** Connections of running services; null if the database does not tell. */
  readonly services: number | null
  readonly isTransaction: boolean
  /** The statements as a script for the database's own client. */
  readonly script: string
}

const notes: ReadonlyMap<string, string> = new Map(Object.entries(tables).map(([name, { note }]) => [name, note]))

interface Inventory {
  readonly tables: readonly string[]
  readonly references: readonly (readonly [from: string, to: string])[]
  readonly keys: readonly (readonly [schema: string, table: string, name: string])[]
  readonly dependents: readonly string[]
  readonly others: readonly string[]
  readonly mayDropSchema: boolean
}

function inventoryOf(rows: readonly Row[]): Inventory {
  const of = (kind: string) =>
    rows.filter(([found]) => found === kind).map(([, ...rest]) => rest.map((text) => text ?? ''))
  return {
    tables: of('table').map(([name = '']) => name),
    references: of('reference').map(([from = '', to = '']) => [from, to]),
    keys: of('key').map(([schema = '', table = '', name = '']) => [schema, table, name]),
    dependents: of('dependent').map(([what = '']) => what),
    others: of('other').map(([what = '']) => what),
    mayDropSchema: of('schema').length > 0,
  }
}

/** Without the first one, no service starts on what an interrupted removal leaves; by the last one, it is found again. */
const rankOf = (name: string): number => (name === MIGRATIONS ? 0 : name === 'service_version' ? 2 : 1)

/** A table comes before the tables that it refers to. */
function inOrder({ tables, references }: Inventory): readonly string[] {
  const left = new Set(tables.toSorted((a, b) => rankOf(a) - rankOf(b)))
  const done: string[] = []
  while (left.size > 0) {
    const isFree = (name: string) => !references.some(([from, to]) => to === name && left.has(from))
    const next = [...left].find(isFree) ?? [...left][0] ?? ''
    left.delete(next)
    done.push(next)
  }
  return done
}

export async function planRemoval(
  database: Database,
  schema: string,
  runner: Driver | Transaction = database.schemaDriver,
): Promise<Removal> {
  const { removal, dialect, serviceTables } = database
  const found = inventoryOf(await run(removal.inventory(schema, serviceTableNames), runner, dialect))
  if (found.tables.includes(MIGRATIONS)) refuseNewer(schema, await appliedMigrations(database, schema, runner))
  const steps = found.tables.includes('service_schema_steps')
    ? await run(serviceTables.steps.list(schema), runner, dialect)
    : []
  const [services] = removal.services === null ? [] : await run(removal.services, runner, dialect)
  const parts = await partsOf(database, schema, found, runner)
  const dropsSchema = parts.length > 0 && found.mayDropSchema && found.others.length === 0
  return {
    parts,
    others: found.others,
    dependents: found.dependents,
    keepsSchema: removal.dropSchema !== null && parts.length > 0 && !dropsSchema,
    hasUnfinishedChange: steps.length > 0,
    services: services === undefined ? null : Number(services[0]),
    isTransaction: removal.isTransaction,
    script: scriptOf(parts, database),
  }
}

async function partsOf(
  database: Database,
  schema: string,
  found: Inventory,
  runner: Driver | Transaction,
): Promise<readonly RemovalPart[]> {
  const { removal, dialect, outside } = database
  const parts: RemovalPart[] = []
  const { dropSchema } = removal
  for (const [of, table, , drop] of outside.triggers === null
    ? []
    : await run(outside.triggers.installed(schema), runner, dialect))
    parts.push({
      lost: `The trigger that tells changes of ${table === null ? 'a table that is gone' : `${of}.${table}`}.`,
      statement: { text: (drop ?? '').replace(/;$/u, ''), values: [] },
    })
  for (const key of found.keys) parts.push(...keyParts(key, database))
  for (const name of inOrder(found)) {
    const [count] = await run(countRows(schema, name), runner, dialect)
    parts.push({
      lost: `${notes.get(name) ?? ''} ${rowsOf(count?.[0] ?? '0')}`,
      statement: statementOf(removal.dropTable(schema, name), dialect),
    })
  }
  if (dropSchema !== null && found.mayDropSchema && found.others.length === 0)
    parts.push({ lost: 'The schema itself, now empty.', statement: statementOf(dropSchema(schema), dialect) })
  return parts
}

function keyParts(
  [of, table, name]: Inventory['keys'][number],
  { removal, dialect }: Database,
): readonly RemovalPart[] {
  const { dropKey, withoutKeys } = removal
  if (dropKey !== null) {
    const lost = `The foreign key of ${of}.${table} to a table of the service; its column and its values stay.`
    return [{ lost, statement: statementOf(dropKey(of, table, name), dialect) }]
  }
  return (withoutKeys?.(table, name) ?? []).map((statement, place) => ({
    lost:
      place === 0
        ? `The foreign keys of ${of}.${table} to tables of the service: the table is made anew, with its rows.`
        : `A part of making ${of}.${table} anew.`,
    statement,
  }))
}

const rowsOf = (count: string) => `${count} ${count === '1' ? 'row' : 'rows'}.`

function scriptOf(parts: readonly RemovalPart[], { removal: { opening, closing } }: Database): string {
  if (parts.length === 0) return ''
  const lines = parts.flatMap(({ lost, statement }) => [`-- ${lost.replaceAll(/\s+/gu, ' ')}`, `${statement.text};`])
  return `${[...opening, ...lines, ...closing].join('\n')}\n`
}

/** How a removal ended: with a refusal, it says why. */
export type RemovalOutcome =
  | { readonly kind: 'done' | 'changed' }
  | { readonly kind: 'refused'; readonly reason: string }

const LOCK_WAIT = 10_000

/**
 * Runs the parts of the plan that was shown. The locks of starts and of schema changes are held meanwhile, and a plan
 * that no longer matches the database changes nothing.
 */
export async function remove(database: Database, schema: string, shown: Removal): Promise<RemovalOutcome> {
  const { schemaDriver, serviceTables, ddl, dialect } = database
  const work = async (transaction: Transaction): Promise<RemovalOutcome> => {
    for (const statement of ddl.lock(schema, LOCK_WAIT) ?? []) await transaction.query(statement)
    await run(serviceTables.lock(schema) ?? serviceTables.lockVersion(schema), transaction, dialect)
    const now = await planRemoval(database, schema, transaction)
    const textOf = ({ parts }: Removal) => parts.map(({ statement }) => statement.text).join('\n')
    if (textOf(now) !== textOf(shown) || now.dependents.length > 0 || now.hasUnfinishedChange)
      return { kind: 'changed' }
    for (const { statement } of now.parts) await transaction.query(statement)
    return { kind: 'done' }
  }
  const isLeased = ddl.lock(schema, LOCK_WAIT) === null
  const lease = isLeased ? await takeLease(database, schema, STRUCTURE_LEASE, LOCK_WAIT) : null
  if (isLeased && lease === null) return { kind: 'refused', reason: 'another replica changes the structure' }
  try {
    return await schemaDriver.transaction(work)
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    return { kind: 'refused', reason: error.message }
  } finally {
    await lease?.release()
  }
}
