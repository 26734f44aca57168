import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createPace } from './pacing.ts'

test('two messages at once are sent one after the other, many at once are not held up, and all keep their order', async () => {
  const pace = createPace()
  const sent: number[] = []
  const send = (n: number) => pace(() => void sent.push(n))
  send(1)
  send(2)
  expect(sent).toEqual([1])
  await sleep(100)
  expect(sent).toEqual([1, 2])
  await sleep(50)
  for (let n = 3; n <= 12; n += 1) send(n)
  expect(sent.length).toBeGreaterThan(5)
  await sleep(300)
  expect(sent).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
})
