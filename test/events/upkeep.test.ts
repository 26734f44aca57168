import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentBus } from '../../packages/server/src/cluster/bus.ts'
import { createEventLog } from '../../packages/server/src/events/create-log.ts'
import type { EventLog } from '../../packages/server/src/events/event-log.ts'
import { DatabaseError, type Driver } from '../../packages/server/src/sql/driver.ts'
import { createServiceStatements } from '../../packages/server/src/sql/service/run-service-statement.ts'
import { openStage, type Stage } from '../realtime/stage.ts'

describe('the log of changes', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage('sqlite', 'create table notes (id integer primary key);')
  })
  afterAll(() => stage.close())

  function logOver(driver: Driver, capturesAll: boolean): EventLog {
    const { database, systemSchema, observe } = stage.core.context
    return createEventLog({
      database: { ...database, driver },
      systemSchema,
      schemaCache: stage.core.parts.schemaCache,
      bus: silentBus,
      retention: { age: 100, size: 1_000_000 },
      capturesAll,
      observe,
      failpoints: null,
    })
  }

  test('remembers who listens for longer than it takes to say so again', async () => {
    const { database, systemSchema } = stage.core.context
    await logOver(database.driver, false).capture(['notes'])
    await sleep(300)
    const ask = createServiceStatements(database, systemSchema)
    expect(await ask(database.events.unheard)).toEqual([])
  })

  test('is kept of everything, although the database was away at the first attempt', async () => {
    const { driver } = stage.core.context.database
    let attempts = 0
    const log = logOver(
      {
        ...driver,
        transaction: (...given: Parameters<Driver['transaction']>) => {
          attempts += 1
          if (attempts === 1) throw new DatabaseError('unavailable', 'away')
          return driver.transaction(...given)
        },
      } as Driver,
      true,
    )
    log.start()
    await expect.poll(() => log.capturedSince('others'), { timeout: 3000 }).not.toBeNull()
    await log.stop()
  })
})
