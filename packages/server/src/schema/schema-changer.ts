import { createMutex } from '../lib/mutex.ts'
import type { Database } from '../sql/database.ts'
import { createCatalogue } from './change-catalogue.ts'
import { serviceRowsOf, type ChangeContext, type SchemaChangerOptions } from './change-context.ts'
import { blockOf, changeFault, refusedBy, stuckFault } from './change-faults.ts'
import { clearAway, prepare, recover, takeBack } from './change-journal.ts'
import { alone } from './change-lock.ts'
import { describePlan, obstaclesTo, planFor, sizesOf } from './change-plan.ts'
import { define } from './change-transaction.ts'
import { patiently } from './change-waiting.ts'
import type { Catalogue, Change, Planner, SchemaChanger } from './change.ts'
import type { SchemaCache } from './schema-cache.ts'

/**
 * Runs schema changes one at a time across all replicas. A change is planned under a lock and applied in one
 * transaction with its metadata, permissions and the new version.
 */
export function createSchemaChanger(
  database: Database,
  schemaCache: SchemaCache,
  options: SchemaChangerOptions,
): SchemaChanger {
  const context: ChangeContext = { ...options, database, lease: null }
  const { failpoints } = options
  const mutex = createMutex()
  const catalogue = createCatalogue(database, schemaCache, (name) => serviceRowsOf(context, name))

  return {
    async change(planner) {
      const version = await alone(context, mutex, (held) => make(held, schemaCache, catalogue, planner))
      if (failpoints !== null && version !== null) await failpoints.hit('schema.committed')
      return version === null ? schemaCache.latest() : schemaCache.atLeast(version)
    },

    async preview(planner) {
      try {
        const change = await planner(await schemaCache.reload(), catalogue)
        const sizes = await sizesOf(context, change.ddl)
        const blocks = (await obstaclesTo(context, change.ddl)).map(blockOf)
        return describePlan(await planFor(context, change.ddl, sizes), sizes, blocks)
      } catch (error) {
        throw changeFault(error, database.ddl)
      }
    },

    async look(work) {
      return work(await schemaCache.reload(), catalogue)
    },

    recover: () => recover(context),
  }
}

/** The stages of a change, in order. Returns the new version, or null if there is nothing to change. */
async function make(
  context: ChangeContext,
  schemaCache: SchemaCache,
  catalogue: Catalogue,
  planner: Planner,
): Promise<number | null> {
  const { database, observe } = context
  const began = performance.now()
  const stuck = await takeBack(context)
  if (stuck !== null) throw stuckFault(stuck, database.ddl)
  const schema = await schemaCache.reload()
  const change = await planner(schema, catalogue)
  if (isNothing(change)) return null
  const [obstacle] = await obstaclesTo(context, change.ddl)
  if (obstacle !== undefined) throw refusedBy(obstacle)
  const plan = await planFor(context, change.ddl, await sizesOf(context, change.ddl))
  await prepare(context, plan)
  const version = await patiently(context, () => define(context, change, plan, schema)).catch(
    async (error: unknown) => {
      if (plan.preparations.length > 0) await takeBack(context)
      throw error
    },
  )
  await clearAway(context, plan)
  const statements = [...plan.preparations, ...plan.statements, ...(plan.afterwards ?? [])].map(
    ({ statement }) => statement.text,
  )
  if (statements.length > 0) observe({ kind: 'schema-changed', statements, milliseconds: performance.now() - began })
  return version
}

const isNothing = ({ ddl, metadata, gone, permissionChanges = [] }: Change) =>
  ddl.length === 0 && metadata.length === 0 && gone === null && permissionChanges.length === 0
