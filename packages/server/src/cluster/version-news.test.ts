import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createVersionNews } from './version-news.ts'

/** A replica, and the messages that it sends. */
function replica() {
  const sent: string[] = []
  let receive = (_text: string): void => {}
  const news = createVersionNews({
    publish: (text) => void sent.push(text),
    onMessage: (received) => {
      receive = received
    },
  })
  let reads = 0
  news.onNews(async () => {
    reads += 1
    await new Promise((resolve) => setTimeout(resolve, 100))
  })
  return { news, sent, receive: (text: string) => receive(text), reads: () => reads }
}

const JITTER = 60

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('news of versions', () => {
  test('are told once, by the replica that knows first, and not at its start', () => {
    const { news, sent } = replica()
    for (const version of [4, 4, 5, 5, 4]) news.tell('schema', version)
    news.tell('permissions', 9)
    expect(sent).toEqual(['schema 5'])
  })

  test('are not passed on by those who were told', async () => {
    const { news, sent, receive, reads } = replica()
    news.tell('permissions', 1)
    receive('permissions 2')
    await vi.advanceTimersByTimeAsync(JITTER)
    expect(reads()).toBe(1)
    news.tell('permissions', 2)
    expect(sent).toEqual([])
    news.tell('permissions', 3)
    expect(sent).toEqual(['permissions 3'])
  })

  test('many at once lead to one read, and to one more for those that came during it', async () => {
    const { news, receive, reads } = replica()
    news.tell('schema', 1)
    for (let version = 2; version < 50; version += 1) receive(`schema ${version}`)
    await vi.advanceTimersByTimeAsync(JITTER)
    expect(reads()).toBe(1)
    for (let version = 50; version < 90; version += 1) receive(`schema ${version}`)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(reads()).toBe(2)
  })

  test.each([
    'schema 1',
    'schema 0',
    'schema',
    'schema -2',
    'schema 2.5',
    'keys 3',
    '',
    '\0',
    `schema ${'9'.repeat(30)}`,
  ])('%j is no news', async (text) => {
    const { news, receive, reads } = replica()
    news.tell('schema', 1)
    receive(text)
    await vi.advanceTimersByTimeAsync(1000)
    expect(reads()).toBe(0)
  })
})
