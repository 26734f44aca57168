import { availableParallelism } from 'node:os'
import type { Config } from '../config.ts'
import { connectionRefused } from '../schema/start-error.ts'
import type { ConnectionRefusal } from '../sql/database.ts'
import { DatabaseError } from '../sql/driver.ts'
import { problem, warning, type DatabaseExamination, type Finding } from './check.ts'

const refusalFixes: Readonly<Record<ConnectionRefusal, (url: URL) => string>> = {
  database: (url) => `create database ${JSON.stringify(decodeURIComponent(url.pathname.slice(1)))};`,
  credentials: () => 'Correct the user and the password in DATABASE_URL; special characters are percent-encoded',
  file: () => 'Correct the path in DATABASE_URL, or create its folder',
  driver: () => 'Set POSTGRES_PROTOCOL=driver',
}

/** Connects. All other checks of the database depend on it. */
export async function connection({ database, config, query }: DatabaseExamination): Promise<readonly Finding[]> {
  try {
    await query(database.diagnosis.version)
    return []
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    const url = new URL(config.databaseUrl)
    const refusal = database.refusalOf(error)
    if (refusal !== null)
      return [
        problem(connectionRefused(refusal, config.databaseUrl, error.message).message, refusalFixes[refusal](url)),
      ]
    if (error.fault !== 'unavailable')
      return [problem(`The server refuses: ${error.message}.`, 'Correct the server, or DATABASE_URL')]
    const server = `${url.hostname}${url.port === '' ? '' : `:${url.port}`}`
    return [
      problem(
        `The server at ${server} does not answer.`,
        `Start it, and check host and port in DATABASE_URL and the firewall: nc -vz ${url.hostname} ${url.port}`.trim(),
      ),
    ]
  }
}

export async function serverVersion({
  database: { diagnosis },
  query,
}: DatabaseExamination): Promise<readonly Finding[]> {
  const [row] = await query(diagnosis.version)
  const version = row?.[0] ?? ''
  const needed = diagnosis.unsupported(version)
  return needed === null
    ? []
    : [problem(`The server has version ${version}.`, `Upgrade the server to ${needed} or newer`)]
}

const MOST_SKEW = 5000

/** Compared with the middle of the request, because the answer takes time in both directions. */
export async function clock({ database: { diagnosis }, query, now }: DatabaseExamination): Promise<readonly Finding[]> {
  if (diagnosis.clock === null) return []
  const before = now()
  const [row] = await query(diagnosis.clock)
  const after = now()
  const skew = Math.max(0, Math.abs(Number(row?.[0]) - (before + after) / 2) - (after - before) / 2)
  if (skew <= MOST_SKEW) return []
  return [
    problem(
      `The clocks of this machine and of the database differ by ${Math.round(skew / 1000)} seconds: tokens expire too early or too late.`,
      'Synchronise both clocks: timedatectl set-ntp true',
    ),
  ]
}

/** Reads go on without them, so nothing else would tell. */
export async function readers({ database }: DatabaseExamination): Promise<readonly Finding[]> {
  if (database.readers === null) return []
  const { driver, follows } = database.readers
  try {
    const [row] = await driver.query(follows)
    if (row?.[0] === 't') return []
    return [
      warning(
        'A server of DB_READERS_URL is no standby, so it is never asked: the primary answers every read.',
        'Name standbys in DB_READERS_URL, or leave it out',
      ),
    ]
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    return [
      warning(
        `No server of DB_READERS_URL can be used: ${error.message}.`,
        'Start the standbys, and check hosts, ports, user and password in DB_READERS_URL',
      ),
    ]
  }
}

/** Connections of one replica: `WORKERS` divide the pool, and each has a few more. */
const perReplica = ({ poolMax, workers }: Config, further: number): number => {
  const processes = workers === 'auto' ? availableParallelism() : workers
  return processes * (Math.max(1, Math.floor(poolMax / processes)) + further)
}

async function runningReplicas({ database: { diagnosis }, query }: DatabaseExamination): Promise<number> {
  if (diagnosis.replicas === null) return 1
  const [row] = await query(diagnosis.replicas)
  return Math.max(1, Number(row?.[0]))
}

export async function connections(context: DatabaseExamination): Promise<readonly Finding[]> {
  const { database, query, config } = context
  const { diagnosis } = database
  if (diagnosis.connections === null) return []
  const [row] = await query(diagnosis.connections)
  const [most = 0, reserved = 0, used = 0] = (row ?? []).map(Number)
  const replicas = context.replicas ?? (await runningReplicas(context))
  const further = diagnosis.furtherConnections
  const each = perReplica(config, further)
  const needed = replicas * each
  const free = Math.max(0, most - reserved - used)
  if (needed <= free) return []
  const fitting = Math.floor(free / replicas) - (each - config.poolMax)
  const by = `${replicas} × (DB_POOL_MAX ${config.poolMax} + ${each - config.poolMax})`
  return [
    problem(
      `The service may open ${needed} connections (${by}), and the server has ${free} to give: max_connections ${most}, ${reserved} reserved, ${used} in use by other programs. Replicas that fit: ${Math.floor(free / each)}.`,
      fitting >= 1
        ? `Set DB_POOL_MAX=${fitting}`
        : `Raise max_connections to at least ${needed + reserved + used} and restart the server`,
    ),
  ]
}

const POOLER_PORT = '6432'
const ATTEMPTS = 3

/**
 * A pooler in transaction mode gives the session of an idle client to the next one: two open connections then have the
 * same session.
 */
async function sharesSessions({ database, query }: DatabaseExamination): Promise<boolean> {
  const { session } = database.diagnosis
  if (session === null) return false
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const [mine] = await query(session)
    const [other] = await database.schemaDriver.query(session)
    if (mine?.[0] === other?.[0]) return true
  }
  return false
}

export async function pooler(context: DatabaseExamination): Promise<readonly Finding[]> {
  const { database, config } = context
  if (database.diagnosis.session === null || config.preparedStatements === 0) return []
  const fix = 'Set DB_PREPARED_STATEMENTS=0'
  if (await sharesSessions(context))
    return [
      problem(
        'A pooler such as PgBouncer in transaction mode is in between: sessions change between statements, so prepared statements and session settings get lost.',
        fix,
      ),
    ]
  if (new URL(config.databaseUrl).port !== POOLER_PORT) return []
  return [
    warning(`Port ${POOLER_PORT} is usually PgBouncer. In transaction mode it does not keep prepared statements.`, fix),
  ]
}
