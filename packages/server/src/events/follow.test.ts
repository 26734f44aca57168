import { expect, test } from 'vitest'
import { createFollowing } from './follow.ts'

const microtasks = async (count: number) => {
  for (let each = 0; each < count; each += 1) await Promise.resolve()
}

/** Nobody looks by itself here: only those who hurry are served. */
test.each([0, 1, 2, 3, 4, 5])('who hurries gets a step, %i turns after the last one', async (turns) => {
  let steps = 0
  let first = Promise.withResolvers<number>()
  const following = createFollowing({
    sequencer: {
      step: () => {
        steps += 1
        return first.promise
      },
    },
    look: async () => false,
    onMoved: () => undefined,
    isWatched: () => false,
    onFailure: () => undefined,
  })
  following.hurry()
  await microtasks(10)
  expect(steps).toBe(1)
  first.resolve(0)
  first = Promise.withResolvers()
  first.resolve(0)
  await microtasks(turns)
  following.hurry()
  await microtasks(50)
  expect(steps).toBe(2)
  await following.stop()
})
