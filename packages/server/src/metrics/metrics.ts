import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Refusal } from '../http/admission.ts'
import type { RequestMeter } from '../http/metrics.ts'
import type { Observe } from '../observe.ts'
import type { PoolName } from '../sql/database.ts'
import { poolRefusals, type PoolStats } from '../sql/driver.ts'
import { countOf, eventKinds } from './events.ts'

/** The state that is read when Prometheus asks. */
export interface MetricSources {
  readonly version: string
  readonly pools: () => readonly (readonly [PoolName, PoolStats])[]
  /** Whether the last contact with the database was a response. */
  readonly isReachable: () => boolean
}

export interface Metrics {
  readonly meter: RequestMeter
  readonly observe: Observe
  readonly contentType: string
  readonly text: () => Promise<string>
}

/** Seconds. Most responses take milliseconds; statements end after 15 seconds by default. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]

/** Every label has a fixed list of values, so the number of series does not grow with data or traffic. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry()
  const build = new Gauge({
    name: 'tain_build_info',
    help: 'Always 1; the version of the service is a label.',
    labelNames: ['version'],
    registers: [registry],
  })
  build.set({ version: sources.version }, 1)
  const meter = createMeter(registry)
  const observe = createEventCounters(registry)
  measurePools(sources, registry)
  // Read when Prometheus asks, or counted by the runtime: nothing here is done per request.
  collectDefaultMetrics({ register: registry })
  return { meter, observe, contentType: registry.contentType, text: () => registry.metrics() }
}

const refusals: Readonly<Record<Refusal, true>> = { away: true, full: true }

function createMeter(registry: Registry): RequestMeter {
  let inFlight = 0
  const durations = new Histogram({
    name: 'tain_http_request_duration_seconds',
    help: 'Requests by kind of route and of status, from their head to the last byte of the response.',
    labelNames: ['route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  })
  const refused = new Counter({
    name: 'tain_http_refused_total',
    help: 'Requests refused before they began: away (no database) or full (too many under way).',
    labelNames: ['reason'],
    registers: [registry],
  })
  for (const reason of Object.keys(refusals)) refused.inc({ reason }, 0)
  registry.registerMetric(
    new Gauge({
      name: 'tain_http_requests_in_flight',
      help: 'Requests that are being answered.',
      registers: [],
      collect() {
        this.set(inFlight)
      },
    }),
  )
  return {
    began() {
      inFlight += 1
    },
    ended(route, status, seconds) {
      inFlight -= 1
      durations.observe({ route, status }, seconds)
    },
    refused(reason) {
      refused.inc({ reason })
    },
  }
}

function createEventCounters(registry: Registry): Observe {
  const events = new Counter({
    name: 'tain_events_total',
    help: 'Events inside the service, which the log tells about too.',
    labelNames: ['kind'],
    registers: [registry],
  })
  // From the start, so that a rate is 0 and not unknown before the first event.
  for (const kind of eventKinds) events.inc({ kind }, 0)
  const version = new Gauge({
    name: 'tain_schema_version',
    help: 'Version of the schema that is served; equal on all replicas except for a moment after a change.',
    registers: [registry],
  })
  const collections = new Gauge({
    name: 'tain_schema_collections',
    help: 'Collections that are served, those of the service included.',
    registers: [registry],
  })
  const duration = new Gauge({
    name: 'tain_schema_load_seconds',
    help: 'How long the last reading of the schema took.',
    registers: [registry],
  })
  return (observation) => {
    events.inc({ kind: observation.kind }, countOf(observation))
    if (observation.kind !== 'schema-loaded') return
    version.set(observation.version)
    collections.set(observation.collections)
    duration.set(observation.milliseconds / 1000)
  }
}

type PoolGauge = Exclude<keyof PoolStats, 'refused' | 'outage' | 'wait'>

const poolGauges: Readonly<Record<PoolGauge, readonly [name: string, help: string]>> = {
  max: ['tain_pool_connections_max', 'The most connections that the pool opens.'],
  open: ['tain_pool_connections_open', 'Open connections.'],
  idle: ['tain_pool_connections_idle', 'Open connections without a statement.'],
  waiting: ['tain_pool_waiting', 'Statements that wait for a connection.'],
}

function measurePools({ pools, isReachable }: MetricSources, registry: Registry): void {
  const outage = new Gauge({
    name: 'tain_database_outage',
    help: '1 while the last contact with the database was no response.',
    registers: [],
    collect() {
      this.set(isReachable() ? 0 : 1)
    },
  })
  const gauges = (Object.entries(poolGauges) as [PoolGauge, readonly [string, string]][]).map(
    ([member, [name, help]]) =>
      new Gauge({
        name,
        help,
        labelNames: ['pool'],
        registers: [],
        collect() {
          for (const [pool, stats] of pools()) this.set({ pool }, stats[member])
        },
      }),
  )
  const refusals = new Counter({
    name: 'tain_pool_refused_total',
    help: 'Statements that got no connection: outage, full (too many wait) or late (none became free in time).',
    labelNames: ['pool', 'reason'],
    registers: [],
    collect() {
      this.reset()
      for (const [pool, { refused }] of pools())
        for (const reason of poolRefusals) this.inc({ pool, reason }, refused[reason])
    },
  })
  for (const metric of [outage, ...gauges, refusals]) registry.registerMetric(metric)
}
