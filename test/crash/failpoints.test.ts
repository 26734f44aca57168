import { expect, test } from 'vitest'
import { parseTrap } from '../../packages/server/src/testing/traps.ts'
import { contentOf } from './fixture.ts'
import { startTrapped, withCopies } from './failpoints.ts'
import { scenarios, type Scenario } from './scenarios.ts'
import { send } from './server.ts'

/** Scenarios of a single statement, or without a record, have no step after the record. */
const isRecorded = ({ name }: Scenario) => !/one statement|order/u.test(name)

test('a step that throws takes back what was done before it', async () => {
  await withCopies(async (copies) => {
    const copy = await copies.make()
    const before = await contentOf(copy)
    const server = await startTrapped(copy, 'write.after-record:throw')
    for (const { method, path, body, headers } of scenarios.filter(isRecorded).flatMap(({ requests }) => requests))
      expect((await send(server.url, method, path, body, headers)).status).toBe(500)
    expect(await contentOf(copy)).toBe(before)
    await server.stop()
    await copy.close()
  })
}, 120_000)

test('what is no failpoint is refused', () => {
  const delay = { name: 'write.before-lock', count: 2, mode: { delay: 30 } }
  expect(parseTrap('write.before-lock:2:delay:30')).toEqual(delay)
  for (const text of ['write.nowhere:crash', 'write.begun', 'write.begun:0:crash', 'write.begun:explode'])
    expect(parseTrap(text)).toBeUndefined()
})
