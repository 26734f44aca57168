import { performance } from 'node:perf_hooks'
import { poolsOf, type Database } from '../sql/database.ts'
import type { Check, DependencyChecks } from '../system/procedures/system-services.ts'

/** A service that only reads needs no database that takes writes. */
interface Needs {
  readonly isReadOnly: boolean
}

/** What the service depends on, one row for each check. Another dependency is one more row. */
export const createDependencyChecks =
  (database: Database, needs: Needs): DependencyChecks =>
  async () => ({ ...(await answering(database, needs)), ...pools(database) })

async function answering({ driver, sessionFacts }: Database, { isReadOnly }: Needs): Promise<Record<string, Check>> {
  const began = performance.now()
  // On the connection that would write: in SQLite it is another one than those that read.
  const asked = isReadOnly
    ? driver.query(sessionFacts())
    : driver.transaction((transaction) => transaction.query(sessionFacts()))
  const row = await asked.then(
    ([first]) => first ?? null,
    () => null,
  )
  const observedValue = Math.round((performance.now() - began) * 10) / 10
  const status = row === null ? 'error' : 'ok'
  const isWritable = row !== null && row[1] !== 't'
  return {
    'database:responseTime': { status, componentType: 'datastore', observedValue, observedUnit: 'ms' },
    'database:writable': {
      status: isWritable || (isReadOnly && row !== null) ? 'ok' : 'error',
      componentType: 'datastore',
      observedValue: isWritable,
    },
  }
}

/** The connections in use of each pool; statements that wait are a warning. */
const pools = (database: Database): Record<string, Check> =>
  Object.fromEntries(
    poolsOf(database).map(([name, driver]) => {
      const { max, open, idle, waiting } = driver.stats()
      const status = waiting > 0 ? 'warn' : 'ok'
      const check = { status, componentType: 'component', observedValue: open - idle, threshold: max, waiting } as const
      return [`pool:${name}`, check]
    }),
  )
