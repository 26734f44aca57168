import { expect, test } from 'vitest'
import { createMutex } from './mutex.ts'

test('one after the other, in the order they came', async () => {
  const mutex = createMutex()
  const seen: string[] = []
  const work = async (name: string) => {
    const leave = await mutex.take()
    seen.push(`${name} in`)
    await new Promise((resolve) => setTimeout(resolve, 1))
    seen.push(`${name} out`)
    leave()
  }
  await Promise.all([work('a'), work('b'), work('c')])
  expect(seen).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out'])
})
