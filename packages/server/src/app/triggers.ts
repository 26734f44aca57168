import {
  creationScript,
  expectedTriggers,
  installedTriggers,
  removalScript,
  untoldTables,
  type Untold,
} from '../events/triggers.ts'
import type { Core } from './core.ts'

/** The statements that make or drop the triggers of all tables; null: they cannot tell on this database. */
export async function triggerScript(
  { context: { database, systemSchema }, parts: { schemaCache } }: Core,
  isRemoval: boolean,
): Promise<readonly string[] | null> {
  const { triggers } = database.outside
  if (triggers === null) return null
  const installed = await installedTriggers(database, systemSchema)
  if (isRemoval) return removalScript(installed, triggers, systemSchema)
  const expected = expectedTriggers(await schemaCache.latest(), database, systemSchema)
  return creationScript(expected, installed, triggers, systemSchema)
}

/** Tables without triggers, or with triggers that were made for an older form of them. */
export async function tablesUntold({
  context: { database, systemSchema },
  parts: { schemaCache },
}: Core): Promise<readonly Untold[]> {
  const expected = expectedTriggers(await schemaCache.latest(), database, systemSchema)
  return untoldTables(expected, await installedTriggers(database, systemSchema))
}
