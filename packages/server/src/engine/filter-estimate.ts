import type { Authorized } from '../access/authorized.ts'
import type { BoundQuery } from '../query/bound.ts'
import type { Dialect, PlanEstimate } from '../sql/dialect.ts'
import type { Beside } from './beside.ts'
import { KEYS_PARAMETER } from './plan-read.ts'
import type { KeySamples } from './seek/key-samples.ts'
import { rowsStatement, sampleStatement } from './seek/seek-statements.ts'

export interface Estimating {
  readonly query: Authorized<BoundQuery>
  readonly dialect: Dialect
  readonly planner: PlanEstimate
  readonly samples: KeySamples
  readonly beside: Beside
}

/** A sample tells less about so few rows than an index does. */
const FEW = 1000

/** The rows of a filter as the planner of the database expects them, or from a sample if it may be wrong about many. */
export async function estimateRows({ query, dialect, planner, samples, beside }: Estimating): Promise<number> {
  const rows = planner.read(await beside.run(planner.explain(rowsStatement(query, dialect))))
  const isSure = planner.knowsValues || rows < FEW || query.collection.key.length === 0
  const sample = isSure ? null : await samples.ofAll(query.collection)
  if (sample === null) return rows
  const found = await beside.run(sampleStatement(query, dialect), new Map([[KEYS_PARAMETER, sample.keys]]))
  const matching = found.reduce((sum, [position]) => sum + (sample.weights[Number(position) - 1] ?? 0), 0)
  return Math.max(1, Math.round(matching))
}
