import { expect, test } from 'vitest'
import { createLoop } from './loop.ts'

test('a loop works on while there is something, is woken from its pause, and ends', async () => {
  let left = 3
  let turns = 0
  const loop = createLoop(
    async () => {
      turns += 1
      left -= 1
      return left > 0 ? 0 : 60_000
    },
    () => undefined,
  )
  loop.wake()
  await expect.poll(() => turns).toBe(3)
  loop.wake()
  await expect.poll(() => turns).toBe(4)
  await loop.stop()
  loop.wake()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(turns).toBe(4)
})
