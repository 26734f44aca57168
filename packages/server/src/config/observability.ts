import { asDuration, asFlag, asNumber, asText, type Rows } from './readers.ts'

/** What the service tells about itself. */
export interface ObservabilityConfig {
  /** null: there is no such port. */
  readonly metricsPort: number | null
  readonly metricsHost: string
  /** In milliseconds; null: they are not looked for. */
  readonly slowStatement: number | null
  readonly hasServerTiming: boolean
  readonly hasTraceComments: boolean
}

export const observabilitySettings: Rows<ObservabilityConfig> = {
  metricsPort: {
    name: 'METRICS_PORT',
    fallback: null,
    read: asNumber(1, 65_535),
    what: 'port that serves metrics for Prometheus at /metrics; without it nothing is measured',
  },
  metricsHost: {
    name: 'METRICS_HOST',
    fallback: '127.0.0.1',
    read: asText,
    what: 'address that METRICS_PORT listens on; there is no login, so only Prometheus may reach it',
  },
  slowStatement: {
    name: 'SLOW_QUERY_MS',
    fallback: null,
    read: asDuration,
    what: 'log statements that take this long or longer, as text without values',
  },
  hasServerTiming: {
    name: 'SERVER_TIMING',
    fallback: false,
    read: asFlag,
    what: 'tell callers the time of each stage of a request in the header Server-Timing',
  },
  hasTraceComments: {
    name: 'TRACE_SQL_COMMENTS',
    fallback: false,
    read: asFlag,
    what: 'add the traceparent of a traced request to its statements as a comment; they are then not prepared',
  },
}
