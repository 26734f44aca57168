import { administrator } from '../../access/actor.ts'
import type { FilterContext, Filtering } from './filters.ts'
import { openInside, type InsideRun, type RunWrite } from './inside.ts'

/** Writes of filters are filtered too; extensions that answer each other end here. */
const DEEPEST = 5

/** `runWrite` writes for filters. */
export function filteringOf(
  run: InsideRun,
  { origin, isDryRun }: Pick<FilterContext, 'origin' | 'isDryRun'>,
  runWrite: RunWrite,
): Filtering {
  const { actor, schema, services, depth = 0 } = run
  const { filters } = services
  const caller: InsideRun = { ...run, actor: { ...administrator, user: actor.user }, depth: depth + 1 }
  const context: FilterContext = {
    actor,
    schema,
    origin,
    isDryRun,
    inside: (work) => openInside(caller, runWrite, work),
  }
  return {
    isFiltered: filters.isFiltered,
    async rows(rows) {
      for (const row of rows) {
        if (depth === DEEPEST)
          throw new Error(`writes of extensions to "${row.collection.name}" cause each other ${DEEPEST} levels deep`)
        await filters.apply(row, context)
      }
    },
  }
}
