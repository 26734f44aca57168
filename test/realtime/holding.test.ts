// Which credentials of open connections still hold: one statement for many of them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashToken } from '../../packages/server/src/auth/authenticate.ts'
import { createHolding, type Holding } from '../../packages/server/src/store/proofs.ts'
import { testDialects } from '../lib/databases.ts'
import { openStage, type Stage } from './stage.ts'

describe.each(testDialects)('credentials on %s', (dialect) => {
  let stage: Stage
  let holding: Holding

  beforeAll(async () => {
    stage = await openStage(dialect, 'create table notes (id integer primary key);')
    const { database, systemSchema } = stage.core.context
    holding = createHolding(database, systemSchema, 0)
  })
  afterAll(() => stage.close())

  // Their hashes are longer than keys.
  test('hold while the token is that of an active user', async () => {
    const users = [await stage.user([]), await stage.user([])]
    const keys = users.map(({ token }) => hashToken(token))
    expect(await holding('token', [...keys, hashToken('unknown')])).toEqual(new Set(keys))
    await stage.send('PATCH', `/users/${users[0]?.id}`, { status: 'suspended' })
    expect(await holding('token', keys)).toEqual(new Set(keys.slice(1)))
  })
})
