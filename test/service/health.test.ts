import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, testDialects, type TestDatabase } from '../databases.ts'
import { codeOf, dataOf, startService, type Service } from '../service.ts'

describe.each(testDialects)('health of a service on %s', (dialect) => {
  let database: TestDatabase
  let service: Service

  beforeAll(async () => {
    database = await createDatabase(dialect)
    service = await startService({ DATABASE_URL: database.url })
  })

  afterAll(async () => {
    await service.stop()
    await database.drop()
  })

  test('an administrator sees every dependency', async () => {
    const { status, body } = await service.get('/server/health')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'ok',
      checks: {
        'database:responseTime': [{ status: 'ok', observedValue: expect.any(Number) as number, observedUnit: 'ms' }],
        'database:writable': [{ status: 'ok', observedValue: true }],
        'pool:requests': [{ status: 'ok', threshold: expect.any(Number) as number, waiting: 0 }],
        'pool:schema': [{ status: 'ok' }],
      },
    })
  })

  test('other users see the status alone, and strangers nothing', async () => {
    const token = `user-${randomUUID()}`
    dataOf(await service.send('POST', '/users', { email: `${token}@example.com`, token }))
    expect((await service.get('/server/health', { token })).body).toEqual({ status: 'ok' })
    const answer = await service.get('/server/health', { token: null })
    expect([answer.status, codeOf(answer)]).toEqual([403, 'FORBIDDEN'])
  })
})
