import type { Failpoint, Failpoints } from '../lib/failpoint.ts'
import type { Statement } from '../sql/driver.ts'

/** Lets tests watch and break the service. The published program cannot make any: `testing/` is not part of it. */
export interface Probes {
  readonly failpoints: ((note: (name: Failpoint, count: number) => void) => Failpoints) | null
  readonly onStatement?: (statement: Statement) => void
}

export const noProbes: Probes = { failpoints: null }
