import { isDatabaseError } from '../engine/faults.ts'
import type { FilterContext as EngineContext, FilteredRow, WriteFilters } from '../engine/write/filters.ts'
import { StaleVersionError } from '../engine/write/stale-version.ts'
import type { Observe } from '../observe.ts'
import { joinedKey } from '../query/keys.ts'
import type { QueryLimits } from '../query/parse-query.ts'
import { callerOf } from './caller.ts'
import { createItems } from './items.ts'
import type { OwnedFilter, Registry } from './registered.ts'
import { failed, isTold, runCode } from './run.ts'

export interface FilterOptions {
  readonly limits: () => QueryLimits
  readonly timeout: number
  readonly observe: Observe
}

/** The filters of extensions, as the engine calls them. The collections of the service have guards instead. */
export const createFilters = (registry: Registry, options: FilterOptions): WriteFilters => ({
  isFiltered: ({ name, isSystem }) => !isSystem && registry.filtersOf(name).length > 0,
  apply: async (row, context) => {
    for (const filter of registry.filtersOf(row.collection.name))
      if (filter.actions.has(row.action)) await applyFilter(filter, row, context, options)
  },
})

/** An error of the database or of an outdated schema belongs to the write, which may be tried again. */
const isOfWrite = (error: unknown) => isTold(error) || isDatabaseError(error) || error instanceof StaleVersionError

async function applyFilter(
  { extension, collection, run }: OwnedFilter,
  row: FilteredRow,
  { actor, schema, origin, isDryRun, inside }: EngineContext,
  { limits, timeout, observe }: FilterOptions,
): Promise<void> {
  const code = { extension, hook: `filter ${collection}` }
  const change = {
    collection,
    action: row.action,
    key: row.key === null ? null : joinedKey(row.key),
    values: row.values(),
  }
  try {
    await inside(async (port) => {
      const items = createItems(port, { schema: () => schema, limits: limits(), origin })
      const values = await runCode(code, timeout, (signal) =>
        run(change, { caller: callerOf(actor), origin, isDryRun, items, signal }),
      )
      if (values !== undefined) row.set(values)
    })
  } catch (error) {
    throw isOfWrite(error) ? error : failed(code, error, observe)
  }
}
