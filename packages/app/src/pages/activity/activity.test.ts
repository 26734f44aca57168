import { expect, test } from 'vitest'
import { activityFilter, agentWords, revisionChanges } from './activity.ts'

const none = { user: '', action: '', collection: '', from: '', to: '' }

test('no filter asks for everything', () => {
  expect(activityFilter(none)).toBeNull()
})

test('the last day is included to its end', () => {
  const filter = activityFilter({ ...none, action: 'update', from: '2026-11-17', to: '2026-11-17' })
  const [action, from, to] = (filter ?? {})['_and'] as readonly Readonly<
    Record<string, Readonly<Record<string, string>>>
  >[]
  expect(action).toEqual({ action: { _eq: 'update' } })
  const hours =
    (new Date(to?.['timestamp']?.['_lt'] ?? '').getTime() - new Date(from?.['timestamp']?.['_gte'] ?? '').getTime()) /
    3_600_000
  expect(hours).toBe(24)
})

test('an update shows the values before, where an earlier revision has them', () => {
  const revision = { id: 2, data: { id: 1, stock: 5 }, delta: { stock: 5 } }
  expect(revisionChanges('update', revision, { id: 1, data: { id: 1, stock: 3 }, delta: null })).toEqual([
    { field: 'stock', before: 3, after: 5 },
  ])
  expect(revisionChanges('update', revision, null)).toEqual([{ field: 'stock', before: undefined, after: 5 }])
})

test('a create shows what was given, a delete what is gone', () => {
  expect(revisionChanges('create', { id: 1, data: { id: 1, note: null }, delta: null }, null)).toEqual([
    { field: 'id', before: undefined, after: 1 },
  ])
  expect(
    revisionChanges('delete', { id: 2, data: null, delta: null }, { id: 1, data: { id: 1 }, delta: null }),
  ).toEqual([{ field: 'id', before: 1, after: undefined }])
})

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36',
    'Chrome on Linux',
  ],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/126.0 Safari/537.36 Edg/126.0', 'Edge on Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Version/17.0 Safari/605.1.15', 'Safari on macOS'],
  ['curl/7.88.1', 'curl'],
])('%s', (agent, words) => {
  expect(agentWords(agent)).toBe(words)
})
