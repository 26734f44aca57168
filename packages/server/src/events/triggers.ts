import { createHash } from 'node:crypto'
import { secretNames } from '../changes/recorded-row.ts'
import type { Collection, Schema } from '../schema/schema.ts'
import { typed } from '../schema/typed-column.ts'
import { run, type Database } from '../sql/database.ts'
import type { Driver, Transaction } from '../sql/driver.ts'
import type { TriggeredTable, TriggerSource } from '../sql/outside.ts'
import { heardCollections } from './outside-changes.ts'

/** The triggers that a table is to have. */
export interface TableTriggers {
  readonly collection: string
  readonly schema: string
  readonly table: string
  /** Changes with everything that the triggers depend on. */
  readonly fingerprint: string
  readonly statements: readonly string[]
  /** How many triggers they make. */
  readonly count: number
  /** Whether somebody listens to the collection. */
  readonly isCaptured: boolean
}

/** A trigger that the database has. `table` is null where the table is gone. */
export interface InstalledTrigger {
  readonly schema: string | null
  readonly table: string | null
  readonly fingerprint: string | null
  readonly drop: string
}

function triggersOf(
  table: TriggeredTable,
  systemSchema: string,
  source: TriggerSource,
): Omit<TableTriggers, 'isCaptured'> {
  const texts = JSON.stringify(source.create(table, systemSchema, ''))
  const fingerprint = `tain-${createHash('sha256').update(texts).digest('hex').slice(0, 16)}`
  return {
    collection: table.collection,
    schema: table.schema,
    table: table.name,
    fingerprint,
    statements: source.create(table, systemSchema, fingerprint),
    count: source.perTable,
  }
}

/** The triggers of all tables whose changes can be told: those of the user that have a key. */
export const expectedTriggers = (
  schema: Schema,
  { outside: { triggers } }: Pick<Database, 'outside'>,
  systemSchema: string,
): readonly TableTriggers[] =>
  triggers === null
    ? []
    : heardCollections(schema).map((collection) => ({
        ...triggersOf(tableOf(collection), systemSchema, triggers),
        isCaptured: collection.capturedSince !== null,
      }))

const tableOf = (collection: Collection): TriggeredTable => ({
  collection: collection.name,
  schema: collection.schema,
  name: collection.table,
  key: collection.key.map(typed),
  columns: [...collection.columns.values()].map(typed),
  secrets: secretNames(collection),
})

export async function installedTriggers(
  { outside: { triggers }, dialect, schemaDriver }: Database,
  systemSchema: string,
  runner: Driver | Transaction = schemaDriver,
): Promise<readonly InstalledTrigger[]> {
  if (triggers === null) return []
  const rows = await run(triggers.installed(systemSchema), runner, dialect)
  return rows.map(([schema = null, table = null, definition, drop]) => ({
    schema,
    table,
    fingerprint: /'(tain-[0-9a-f]{16})'/u.exec(definition ?? '')?.[1] ?? null,
    drop: drop ?? '',
  }))
}

/** A table whose changes are not told as they should be. */
export interface Untold {
  readonly table: string
  readonly state: 'missing' | 'outdated'
}

export const untoldTables = (
  expected: readonly TableTriggers[],
  installed: readonly InstalledTrigger[],
): readonly Untold[] =>
  expected.flatMap(({ schema, table, fingerprint, count }) => {
    const own = installed.filter((trigger) => trigger.schema === schema && trigger.table === table)
    const name = `${schema}.${table}`
    if (own.length < count) return { table: name, state: 'missing' as const }
    return own.every((trigger) => trigger.fingerprint === fingerprint)
      ? []
      : { table: name, state: 'outdated' as const }
  })

/** The script that makes or replaces all triggers, and drops those of tables that are not told any more. */
export function creationScript(
  expected: readonly TableTriggers[],
  installed: readonly InstalledTrigger[],
  source: TriggerSource,
  systemSchema: string,
): readonly string[] {
  const isExpected = ({ schema, table }: InstalledTrigger) =>
    expected.some((each) => each.schema === schema && each.table === table)
  const stale = new Set(installed.filter((trigger) => !isExpected(trigger)).map(({ drop }) => drop))
  return [...stale, ...source.prepare(systemSchema), ...expected.flatMap(({ statements }) => statements)]
}

export const removalScript = (
  installed: readonly InstalledTrigger[],
  source: TriggerSource,
  systemSchema: string,
): readonly string[] => [...new Set(installed.map(({ drop }) => drop)), ...source.clear(systemSchema)]
