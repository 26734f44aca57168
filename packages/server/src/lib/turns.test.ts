import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('one after the other, in the order they came', async () => {
  const turns = createTurns()
  const seen: string[] = []
  const work = async (name: string) => {
    const leave = await turns.take()
    seen.push(`${name} in`)
    await new Promise((resolve) => setTimeout(resolve, 1))
    seen.push(`${name} out`)
    leave()
  }
  await Promise.all([work('a'), work('b'), work('c')])
  expect(seen).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out'])
})
