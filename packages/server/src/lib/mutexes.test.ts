import { expect, test } from 'vitest'
import { createMutexes } from './mutexes.ts'

test('lets in one caller at a time for each name', async () => {
  const mutexes = createMutexes()
  const order: string[] = []
  const leave = await mutexes.take('a')
  const second = mutexes.take('a').then((release) => {
    order.push('second')
    release()
  })
  ;(await mutexes.take('b'))()
  order.push('other name')
  leave()
  await second
  ;(await mutexes.take('a'))()
  expect(order).toEqual(['other name', 'second'])
})
