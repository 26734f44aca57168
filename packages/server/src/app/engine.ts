import { activityAndRevisions } from '../changes/activity.ts'
import { createChangeSink, type ChangeConsumer, type ChangeSink } from '../changes/sink.ts'
import type { Config } from '../config.ts'
import { createEngine, type Engine } from '../engine/engine.ts'
import type { EventLog } from '../events/event-log.ts'
import { outboxOf } from '../events/outbox.ts'
import type { WriteFilters } from '../engine/write/filters.ts'
import { createPlanGuard, type PlanGuard } from '../engine/plan-guard.ts'
import { createPermissionStore, type PermissionStore } from '../store/permission-store.ts'
import type { QueryLimits } from '../query/parse-query.ts'
import type { CostLimits } from '../query/cost.ts'
import type { SchemaCache } from '../schema/schema-cache.ts'
import { StartError } from '../schema/start-error.ts'
import { createGuards, type GuardOptions } from '../system/guards/index.ts'
import type { AppContext } from './context.ts'
import { rowCacheOf } from './redis.ts'

/** The engine, the permissions it applies, and the limits of its queries. */
export interface EngineParts {
  readonly engine: Engine
  readonly permissionStore: PermissionStore
  readonly limits: QueryLimits
  readonly changeSink: ChangeSink
}

/** What takes part in writes beside the engine. */
export interface AroundWrites {
  /** Besides activity, revisions and the log. */
  readonly changeConsumers: readonly ChangeConsumer[]
  /** null: no log of changes is kept. */
  readonly events: EventLog | null
  readonly filters: WriteFilters
}

const costLimits = (config: Config): CostLimits => ({
  entries: config.queryEntries,
  conditions: config.queryConditions,
  values: config.queryValues,
  nodes: config.queryNodes,
  joins: config.queryJoins,
  rows: config.queryRows,
})

function planGuardOf({ config, database, observe }: AppContext): PlanGuard | null {
  const { planCost, planCosts, planCostMode } = config
  if (planCost === null && planCosts === null) return null
  const limits = { limit: planCost, byPolicy: planCosts ?? new Map<string, number>(), mode: planCostMode }
  const guard = createPlanGuard(database, limits, observe)
  if (guard === null)
    throw new StartError('QUERY_COST_LIMIT is set, but the plans of SQLite tell no costs. Remove the setting.')
  return guard
}

export function createEngineParts(
  context: AppContext,
  schemaCache: SchemaCache,
  { changeConsumers, events, filters }: AroundWrites,
  guarded: GuardOptions,
): EngineParts {
  const { config, database, systemSchema, observe, failpoints } = context
  const { isReadOnly, limitDefault, limitMax } = config
  const cost = costLimits(config)
  const permissionStore = createPermissionStore(database, systemSchema, (version) =>
    context.versionNews.tell('permissions', version),
  )
  const changeSink = createChangeSink(
    isReadOnly
      ? []
      : [
          activityAndRevisions(database, systemSchema, failpoints),
          outboxOf(database, systemSchema, { failpoints, hasTriggers: config.outside === 'triggers' }),
          ...changeConsumers,
        ],
  )
  const engine = createEngine({
    database,
    schemaCache,
    limitDefault,
    responseSize: config.responseSize,
    cost,
    maxBatch: config.maxBatch,
    systemSchema: isReadOnly ? null : systemSchema,
    observe,
    guards: createGuards(guarded),
    filters,
    changeSink,
    permissionStore: isReadOnly ? null : permissionStore,
    showsRaised: config.showsRaised,
    rowCache: rowCacheOf(context),
    onWritten: (collections) => {
      if (collections.some(({ capturedSince }) => capturedSince !== null)) events?.hurry()
    },
    readersLagMax: config.readersLagMax,
    tellsShared: config.publicCacheTtl !== null,
    planGuard: planGuardOf(context),
    failpoints,
  })
  const limits = {
    limitDefault,
    limitMax,
    depth: config.relationalDepth,
    jsonDepth: config.jsonDepth,
    listLength: config.listLength,
    cost,
  }
  return { engine, permissionStore, limits, changeSink }
}
