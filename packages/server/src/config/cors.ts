import { asFlag, asNames, asNumber, type Rows } from './readers.ts'

/** Browsers of other origins. */
export interface CorsConfig {
  readonly corsEnabled: boolean
  readonly corsOrigin: readonly string[]
  readonly corsCredentials: boolean
  readonly corsMaxAge: number
}

export const corsSettings: Rows<CorsConfig> = {
  corsEnabled: {
    name: 'CORS_ENABLED',
    fallback: false,
    read: asFlag,
    what: 'allow browsers of other origins to call the API',
  },
  corsOrigin: {
    name: 'CORS_ORIGIN',
    fallback: [],
    read: asNames,
    what: 'origins that may call, as a comma list; * for all',
  },
  corsCredentials: {
    name: 'CORS_CREDENTIALS',
    fallback: false,
    read: asFlag,
    what: 'let those origins use cookies, in requests and sockets; otherwise they need a token, and writes with a cookie are refused',
  },
  corsMaxAge: {
    name: 'CORS_MAX_AGE',
    fallback: 18_000,
    read: asNumber(0),
    what: 'seconds that browsers cache a preflight response',
  },
}

/** Origins whose pages may use the cookies of the service. Others may call with tokens. */
export const cookieOrigins = ({ corsEnabled, corsCredentials, corsOrigin }: CorsConfig): readonly string[] =>
  corsEnabled && corsCredentials ? corsOrigin : []
