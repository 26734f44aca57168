import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { corsSettings, type CorsConfig } from './config/cors.ts'
import { databaseReadersSettings, readersProblems, type DatabaseReadersConfig } from './config/database-readers.ts'
import { costSettings, type CostConfig } from './config/cost.ts'
import { mailSettings, type MailConfig } from './config/mail.ts'
import { graphqlSettings, type GraphqlConfig } from './config/graphql.ts'
import { observabilitySettings, type ObservabilityConfig } from './config/observability.ts'
import { workerSettings, type WorkerConfig } from './config/workers.ts'
import { rateSettings, type RateConfig } from './config/rates.ts'
import { redisSettings, type RedisConfig } from './config/redis.ts'
import { misspeltIn, type Misspelt } from './config/misspelt.ts'
import { textOf } from './config/text-of.ts'
import { eventsSettings, type EventsConfig } from './config/events.ts'
import { extensionsSettings, type ExtensionsConfig } from './config/extensions.ts'
import { filesSettings, type FilesConfig } from './config/files.ts'
import { realtimeSettings, type RealtimeConfig } from './config/realtime.ts'
import { webhooksSettings, type WebhooksConfig } from './config/webhooks.ts'
import { readStorages, storageSettings, type StorageConfig } from './config/storage.ts'
import {
  asDatabaseUrl,
  asFlag,
  asLimit,
  asNames,
  asNumber,
  asSize,
  asSizeUpTo,
  asText,
  Misread,
  oneOf,
  type Rows,
  type Setting,
} from './config/readers.ts'
import { authenticationProblems, authenticationSettings, type AuthenticationConfig } from './config/authentication.ts'
import type { PostgresProtocol } from './sql/database.ts'

/** Settings from the environment or the command line. They are checked together and do not change afterwards. */
export interface Config
  extends
    AuthenticationConfig,
    RateConfig,
    RedisConfig,
    MailConfig,
    GraphqlConfig,
    CostConfig,
    ObservabilityConfig,
    CorsConfig,
    StorageConfig,
    FilesConfig,
    EventsConfig,
    RealtimeConfig,
    WebhooksConfig,
    ExtensionsConfig,
    DatabaseReadersConfig,
    WorkerConfig {
  readonly databaseUrl: string
  readonly host: string
  readonly port: number
  readonly systemSchema: string
  readonly schemas: readonly string[] | null
  readonly isReadOnly: boolean
  readonly poolMax: number
  readonly preparedStatements: number
  readonly postgresProtocol: PostgresProtocol
  readonly statementTimeout: number
  readonly lockTimeout: number
  readonly acquireTimeout: number
  readonly connectTimeout: number
  readonly showsRaised: boolean
  readonly pollInterval: number
  readonly limitDefault: number
  readonly limitMax: number | null
  readonly relationalDepth: number
  readonly jsonDepth: number
  readonly listLength: number
  readonly payloadSize: number
  readonly maxBatch: number
  readonly responseSize: number
  readonly importSize: number
  readonly importErrors: number
  readonly requestsInFlight: number | null
  readonly logLevel: string
  readonly logFormat: 'auto' | 'json' | 'text'
  readonly isCompressed: boolean
  readonly hasAdminApp: boolean
  readonly hasOpenApi: boolean
  readonly shutdownDelay: number
  readonly shutdownTimeout: number
  /** Variables of the environment that are nearly settings. */
  readonly misspelt: readonly Misspelt[]
}

/** A response is built as one string, and a string holds at most 512 MiB. */
const MOST_RESPONSE = 256 * 1024 ** 2

/**
 * One row per setting: name, default, accepted values and purpose. docs/configuration.md lists the same. The settings of
 * storages have rows of their own, because their names depend on STORAGE_LOCATIONS.
 */
export const settings: Rows<Omit<Config, 'storages' | 'misspelt'>> = {
  databaseUrl: { name: 'DATABASE_URL', read: asDatabaseUrl, what: 'the database to serve' },
  host: { name: 'HOST', fallback: '127.0.0.1', read: asText, what: 'address to listen on; 0.0.0.0 for all' },
  port: { name: 'PORT', fallback: 8055, read: asNumber(0, 65_535), what: 'port to listen on' },
  ...workerSettings,
  ...authenticationSettings,
  systemSchema: { name: 'SYSTEM_SCHEMA', fallback: 'tain', read: asText, what: "schema of the service's own tables" },
  schemas: {
    name: 'DB_SCHEMAS',
    fallback: null,
    read: asNames,
    what: 'schemas to serve; by default all that the role may use',
  },
  isReadOnly: {
    name: 'READ_ONLY',
    fallback: false,
    read: asFlag,
    what: 'serve without metadata and without writing anything; the database refuses writes on these connections',
  },
  poolMax: { name: 'DB_POOL_MAX', fallback: 10, read: asNumber(1, 1000), what: 'connections to the database' },
  ...databaseReadersSettings,
  preparedStatements: {
    name: 'DB_PREPARED_STATEMENTS',
    fallback: 200,
    read: asNumber(0, 10_000),
    what: "prepared statements kept per connection, those on the service's own tables included; 0 for poolers such as PgBouncer",
  },
  postgresProtocol: {
    name: 'POSTGRES_PROTOCOL',
    fallback: 'direct',
    read: oneOf('direct', 'driver'),
    what: 'direct: PostgreSQL messages encoded by the service, which takes less CPU time; driver: the public interface of node-postgres',
  },
  statementTimeout: {
    name: 'DB_STATEMENT_TIMEOUT',
    fallback: 15_000,
    read: asNumber(0),
    what: 'statement timeout in milliseconds',
  },
  lockTimeout: {
    name: 'DB_LOCK_TIMEOUT',
    fallback: 2000,
    read: asNumber(0),
    what: 'lock timeout in milliseconds',
  },
  acquireTimeout: {
    name: 'DB_ACQUIRE_TIMEOUT',
    fallback: 2000,
    read: asNumber(1),
    what: 'longest wait for a pooled connection, in milliseconds; requests that would wait for more than three quarters of it are refused at once',
  },
  connectTimeout: {
    name: 'DB_CONNECT_TIMEOUT',
    fallback: 3000,
    read: asNumber(1),
    what: 'connect timeout in milliseconds',
  },
  showsRaised: {
    name: 'DB_RAISED_MESSAGES',
    fallback: true,
    read: asFlag,
    what: 'give callers the text that triggers and functions raise (RAISE, SIGNAL)',
  },
  pollInterval: {
    name: 'SCHEMA_POLL_INTERVAL',
    fallback: 1000,
    read: asNumber(50),
    what: 'how often the service checks whether the database schema changed, in milliseconds',
  },
  limitDefault: {
    name: 'QUERY_LIMIT_DEFAULT',
    fallback: 100,
    read: asNumber(0),
    what: 'default page size of lists',
  },
  limitMax: { name: 'QUERY_LIMIT_MAX', fallback: null, read: asLimit, what: 'largest limit that a caller may set' },
  relationalDepth: {
    name: 'MAX_RELATIONAL_DEPTH',
    fallback: 10,
    read: asNumber(2),
    what: 'longest path over relations',
  },
  jsonDepth: {
    name: 'MAX_JSON_QUERY_DEPTH',
    fallback: 10,
    read: asNumber(1),
    what: 'longest path into a JSON value',
  },
  listLength: { name: 'MAX_LIST_LENGTH', fallback: 10_000, read: asNumber(1), what: 'values in one _in list' },
  ...costSettings,
  maxBatch: {
    name: 'MAX_BATCH_MUTATION',
    fallback: 10_000,
    read: asNumber(1),
    what: 'most rows that one request may write',
  },
  payloadSize: { name: 'MAX_PAYLOAD_SIZE', fallback: 1024 ** 2, read: asSize, what: 'largest request body' },
  responseSize: {
    name: 'MAX_RESPONSE_SIZE',
    fallback: 128 * 1024 ** 2,
    read: asSizeUpTo(MOST_RESPONSE),
    what: 'largest response to a read, at most 256mb; exports are streamed and may be larger',
  },
  importSize: {
    name: 'IMPORT_MAX_FILE_SIZE',
    fallback: 50 * 1024 ** 2,
    read: asSize,
    what: 'largest file to import',
  },
  importErrors: {
    name: 'MAX_IMPORT_ERRORS',
    fallback: 1000,
    read: asNumber(1),
    what: 'most errors that an import reports at once',
  },
  requestsInFlight: {
    name: 'MAX_REQUESTS_IN_FLIGHT',
    fallback: null,
    read: asNumber(1),
    what: 'most requests served at once; without it, requests are refused only when they would wait too long for a connection',
  },
  ...rateSettings,
  ...redisSettings,
  ...graphqlSettings,
  ...mailSettings,
  ...storageSettings,
  ...filesSettings,
  ...eventsSettings,
  ...realtimeSettings,
  ...webhooksSettings,
  ...extensionsSettings,
  logLevel: {
    name: 'LOG_LEVEL',
    fallback: 'info',
    read: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    what: 'log level',
  },
  logFormat: {
    name: 'LOG_FORMAT',
    fallback: 'auto',
    read: oneOf('auto', 'json', 'text'),
    what: 'format of the log; auto: text for people on a terminal, JSON lines otherwise',
  },
  ...observabilitySettings,
  ...corsSettings,
  isCompressed: {
    name: 'COMPRESSION',
    fallback: true,
    read: asFlag,
    what: 'compress responses of 1 KB and more for clients that accept it; false if a proxy does it',
  },
  hasOpenApi: {
    name: 'OPENAPI_ENABLED',
    fallback: true,
    read: asFlag,
    what: 'serve the OpenAPI document of each caller at /server/specs/oas, and the page about it at /docs/api',
  },
  hasAdminApp: {
    name: 'ADMIN_APP',
    fallback: true,
    read: asFlag,
    what: 'serve the admin app at /admin, and send browsers from / to it; never with READ_ONLY, where nobody can sign in',
  },
  shutdownDelay: {
    name: 'SHUTDOWN_DELAY',
    fallback: 0,
    read: asNumber(0),
    what: 'milliseconds to keep serving after SIGTERM, so that load balancers notice',
  },
  shutdownTimeout: {
    name: 'SHUTDOWN_TIMEOUT',
    fallback: 30_000,
    read: asNumber(0),
    what: 'milliseconds that open requests get to finish at shutdown',
  },
}

export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`The settings cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

/** Settings from the command line, by name; they override the environment. */
export const readConfigWith = (given: Readonly<Record<string, string>>): Config =>
  readConfig({ ...process.env, ...given })

/** A setting as it is given, by option, environment or file; null if it is not. */
export const settingGiven = (name: string, given: Readonly<Record<string, string>>): string | null => {
  const problems: string[] = []
  const text = textOf(name, { ...process.env, ...given }, problems)
  if (problems.length > 0) throw new ConfigError(problems)
  return text === '' ? null : text
}

/** What is wrong with a value; undefined: nothing. */
export function settingProblem({ read }: Setting<unknown>, text: string): string | undefined {
  try {
    read(text)
    return undefined
  } catch (error) {
    if (error instanceof Misread) return `It ${error.message}.`
    throw error
  }
}

/**
 * Adds the variables of `.env` in the working directory to the environment. A variable that the environment sets, itself
 * or by the name of a file, stays.
 */
export function loadEnvironmentFile(file = '.env'): void {
  const { env } = process
  for (const [name, value] of Object.entries(environmentIn(file))) {
    const other = name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : `${name}_FILE`
    if (env[name] === undefined && (env[other] ?? '') === '') env[name] = value
  }
}

/** The settings in a file; none if there is no such file. */
export const environmentIn = (file: string): NodeJS.Dict<string> => parseEnv(textOfFile(file))

function textOfFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'EISDIR') return ''
    throw new ConfigError([`the file ${file} cannot be read (${code})`])
  }
}

/** Nobody answers questions in continuous integration. */
export const isCi = (): boolean => (process.env['CI'] ?? '') !== ''

/** The environment, with settings from the command line in place of its own. */
export const environmentWith = (given: Readonly<Record<string, string>>): Environment => ({ ...process.env, ...given })

export type Environment = Readonly<Record<string, string | undefined>>

const settingNames: ReadonlySet<string> = new Set(Object.values(settings).map(({ name }) => name))

/** Reads every setting and reports all problems at once. */
export function readConfig(environment: Environment = process.env): Config {
  const { config, problems } = examineConfig(environment)
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze(config)
}

/** Every setting, with its default in place of a value that cannot be used, and all problems. */
export function examineConfig(environment: Environment): {
  readonly config: Config
  readonly problems: readonly string[]
} {
  const problems: string[] = []
  const misread = new Set<string>()
  const read = <T>({ name, fallback, read: parse, what }: Setting<T>): T | undefined => {
    const text = textOf(name, environment, problems)
    if (text === null) {
      misread.add(name)
      return fallback
    }
    if (text === '') {
      if (fallback === undefined) problems.push(`${name} is not set: ${what}`)
      return fallback
    }
    try {
      return parse(text)
    } catch (error) {
      if (!(error instanceof Misread)) throw error
      problems.push(`${name} ${error.message} (${what})`)
      misread.add(name)
      return fallback
    }
  }
  const rows = Object.fromEntries(
    Object.entries(settings).map(([key, setting]) => [key, read(setting as Setting<unknown>)]),
  ) as unknown as Omit<Config, 'storages' | 'misspelt'>
  const places = readStorages(rows.storageNames, {
    textOf: (name) => textOf(name, environment, problems),
    names: Object.keys(environment),
  })
  const misspelt = misspeltIn(Object.keys(environment), settingNames)
  const config: Config = { ...rows, storages: places.storages, misspelt }
  problems.push(...places.problems)
  // A setting that was misread has its default here, which is not the operator's.
  const isNew = (text: string) => !misread.has(text.split(' ')[0] ?? '')
  problems.push(...authenticationProblems(config).filter(isNew), ...readersProblems(config).filter(isNew))
  if (config.corsCredentials && config.corsOrigin?.includes('*'))
    problems.push('CORS_CREDENTIALS needs origins by name; CORS_ORIGIN is *')
  if (config.graphqlPersisted === 'only' && config.graphqlPersistedFile === null)
    problems.push('GRAPHQL_PERSISTED_QUERIES is only: GRAPHQL_PERSISTED_QUERIES_LIST has to name the list')
  if (config.rateStore === 'redis' && config.redis === null)
    problems.push('RATE_LIMITER_STORE is redis: REDIS_URL has to name the server')
  return { config, problems }
}
