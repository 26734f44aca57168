import { expect, test, vi } from 'vitest'
import type { Database } from '../sql/database.ts'
import { postgres } from '../sql/dialects/postgres/index.ts'
import type { Row } from '../sql/driver.ts'
import { sql } from '../sql/sql.ts'
import { createSchemaCache } from './schema-cache.ts'

/** A database that holds a version, and tells it when the test lets it. */
function stage() {
  const database = { stamp: '1.1' }
  const held: (() => void)[] = []
  const driver = {
    query: () => {
      // The database reads its version when the statement begins.
      const { stamp } = database
      return new Promise<readonly Row[]>((resolve) => held.push(() => resolve([[stamp]])))
    },
  }
  const parts = { driver, dialect: postgres, watch: null, serviceTables: { stamp: () => sql`select 1` } }
  const schemaCache = createSchemaCache(parts as unknown as Database, {
    systemSchema: 'tain',
    schemas: null,
    isReadOnly: false,
    pollInterval: 1000,
    observe: () => undefined,
  })
  const letGo = async () => {
    held.shift()?.()
    await new Promise(setImmediate)
  }
  return { schemaCache, database, held, letGo }
}

test('calls that meet share one read of the versions, which begins after all of them', async () => {
  const { schemaCache, database, held, letGo } = stage()
  const first = schemaCache.stamp()
  const others = [schemaCache.stamp(), schemaCache.stamp(), schemaCache.stamp()]
  expect(held).toHaveLength(1)
  // A permission is taken away while the first read is under way, and that is answered.
  database.stamp = '1.2'
  const late = schemaCache.stamp()
  await letGo()
  expect(await first).toBe('1.1')
  expect(held).toHaveLength(1)
  await letGo()
  expect(await Promise.all([...others, late])).toEqual(['1.2', '1.2', '1.2', '1.2'])
  expect(held).toHaveLength(0)
})

test('a call during the shared read shares the next one', async () => {
  const { schemaCache, database, held, letGo } = stage()
  const calls = [schemaCache.stamp(), schemaCache.stamp()]
  await letGo()
  // The second read is under way: it may have seen the versions already.
  database.stamp = '1.2'
  const late = schemaCache.stamp()
  await letGo()
  expect(await Promise.all(calls)).toEqual(['1.1', '1.1'])
  expect(held).toHaveLength(1)
  await letGo()
  expect(await late).toBe('1.2')
})

test('a read that hangs, for example on a lost connection, does not hold up later calls', async () => {
  vi.useFakeTimers()
  try {
    const { schemaCache, held } = stage()
    void schemaCache.stamp()
    const later = [schemaCache.stamp(), schemaCache.stamp()]
    expect(held).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(100)
    expect(held).toHaveLength(2)
    held[1]?.()
    expect(await Promise.all(later)).toEqual(['1.1', '1.1'])
  } finally {
    vi.useRealTimers()
  }
})
