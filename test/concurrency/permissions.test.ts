import { expect, test } from 'vitest'
import { changeHands, revoke, withRights } from './permissions.ts'

test('rights hold while rows change hands and rights are taken away', async () => {
  await withRights(2, async (stage) => {
    expect(await changeHands(stage, 60)).toEqual({ rounds: 60, wrong: [] })
    expect(await revoke(stage, 24, 10)).toEqual({ requests: 240, wrong: [] })
  })
}, 180_000)
