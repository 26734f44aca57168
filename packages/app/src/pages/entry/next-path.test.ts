import { expect, test } from 'vitest'
import { nextPath } from './next-path.ts'

const after = (next: string) => nextPath(`?${new URLSearchParams({ next }).toString()}`)

test('a path inside the app is kept with its query', () => {
  expect(after('/c/orders?filter={"total":1}#top')).toBe('/c/orders?filter={%22total%22:1}#top')
})

test.each([
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '\\\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  '~/elsewhere',
  '',
])('%j leads to the start instead', (next) => {
  expect(after(next)).toBe('/')
})

test('signing in does not lead to signing in', () => {
  expect(after('/login?next=/login')).toBe('/')
})

test('without a place to go, the start is shown', () => {
  expect(nextPath('')).toBe('/')
})
