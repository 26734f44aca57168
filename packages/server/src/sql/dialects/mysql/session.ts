import type { ConnectionOptions } from 'mysql2'
import type { ConnectOptions } from '../../database.ts'
import { serversIn, firstServer } from '../../servers-url.ts'
import type { Capabilities } from './capabilities.ts'

const KEEP_ALIVE_DELAY = 30_000
/** The server ends abandoned transactions after this time. It is long enough for a slow reader. */
const IDLE_TRANSACTION_SECONDS = 120
/**
 * Nested lists can grow to the size of a packet. A list that is truncated all the same is an error, see connection.ts.
 */
const LIST_BYTES = 1024 ** 3
const NO_LIMIT = 1_073_741_824

/** The name of the database in a URL. */
export const databaseIn = (url: string): string => decodeURIComponent(firstServer(url).pathname.slice(1))

const sslOf = (search: URLSearchParams): ConnectionOptions['ssl'] | undefined => {
  const mode = search.get('ssl-mode') ?? search.get('sslmode') ?? ''
  if (/^(required|require|preferred)$/iu.test(mode)) return { rejectUnauthorized: false }
  return /^verify/iu.test(mode) ? {} : undefined
}

/** How to connect to each server of a URL. */
export function connectionOptions({
  url,
  connectTimeout,
  applicationName,
}: ConnectOptions): readonly [ConnectionOptions, ...ConnectionOptions[]] {
  const [first, ...others] = serversIn(url)?.urls ?? [url]
  const every = {
    connectTimeout,
    // Shown by the performance schema, if the server has it.
    connectAttributes: { program_name: applicationName },
  }
  return [{ ...optionsOf(first), ...every }, ...others.map((each) => ({ ...optionsOf(each), ...every }))]
}

function optionsOf(url: string): ConnectionOptions {
  const { hostname, port, username, password, searchParams } = new URL(url)
  const socketPath = searchParams.get('socket')
  const ssl = sslOf(searchParams)
  return {
    ...(socketPath === null
      ? { host: hostname === '' ? '127.0.0.1' : hostname.replace(/^\[|\]$/gu, ''), port: Number(port || 3306) }
      : { socketPath }),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: databaseIn(url),
    charset: 'UTF8MB4_BIN',
    // Statements already contain their values, see interpolate.ts; mysql2 does not have to look for placeholders.
    queryFormat: (text) => text,
    enableKeepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_DELAY,
    ...(ssl === undefined ? {} : { ssl }),
  }
}

const seconds = (milliseconds: number) => Math.ceil(milliseconds / 1000)

/**
 * The settings of a session before its first use. Backslashes escape, double quotes quote texts: the compiler relies on
 * it.
 */
export function sessionSql(
  { statementTimeout, lockTimeout, isReadOnly = false }: ConnectOptions,
  { settings: names }: Capabilities,
): string {
  const [timeoutName, units] = names.statementTimeout
  const settings = [
    `sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO'`,
    `time_zone = '+00:00'`,
    `group_concat_max_len = ${LIST_BYTES}`,
    `innodb_lock_wait_timeout = ${lockTimeout === 0 ? NO_LIMIT : seconds(lockTimeout)}`,
    `lock_wait_timeout = ${lockTimeout === 0 ? 31_536_000 : seconds(lockTimeout)}`,
    `${timeoutName} = ${statementTimeout * units}`,
    ...(names.idleTransaction === null ? [] : [`${names.idleTransaction} = ${IDLE_TRANSACTION_SECONDS}`]),
    `${names.isolation} = 'READ-COMMITTED'`,
    ...(isReadOnly ? [`${names.readOnly} = on`] : []),
    `div_precision_increment = 20`,
    `character_set_client = utf8mb4`,
    `character_set_results = utf8mb4`,
    `collation_connection = utf8mb4_bin`,
  ]
  // Triggers for writes of other programs tell nothing of these sessions, see triggers.ts.
  return `set ${settings.map((setting) => `session ${setting}`).join(', ')}, @tain_own = 1`
}
