import type { Config } from '../config.ts'
import type { MetricsEndpoint } from '../metrics/endpoint.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Observe } from '../observe.ts'
import { poolsOf, type Database } from '../sql/database.ts'
import { version } from '../version.ts'

/** What counts, and where Prometheus reads it. */
export interface MetricsParts extends Metrics {
  readonly endpoint: MetricsEndpoint
}

/** null, without loading anything, if there is no port for metrics. */
export async function createMetricsParts(
  { metricsPort }: Config,
  database: () => Database,
): Promise<MetricsParts | null> {
  if (metricsPort === null) return null
  const [{ createMetrics }, { createMetricsEndpoint }] = await Promise.all([
    import('../metrics/metrics.ts'),
    import('../metrics/endpoint.ts'),
  ])
  const metrics = createMetrics({
    version,
    pools: () => poolsOf(database()).map(([name, driver]) => [name, driver.stats()]),
    isReachable: () => database().driver.isReachable,
  })
  return { ...metrics, endpoint: createMetricsEndpoint(metrics) }
}

/** Counts observations before they are logged. */
export const counting =
  (metrics: Metrics | null) =>
  (log: Observe): Observe =>
    metrics === null
      ? log
      : (observation) => {
          metrics.observe(observation)
          log(observation)
        }
