import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lastLine, newestOf, pageOf, type NightResult } from './results.ts'

const top = join(import.meta.dirname, '../..')

const row = (values: Partial<NightResult>): NightResult => ({
  part: 'random',
  program: 'reads',
  proves: 'Reads are right.',
  options: '',
  date: '2026-11-19',
  isOk: true,
  seconds: 12,
  cpu: 20,
  result: '0 differences',
  ...values,
})

test('the last line is the last one that says something', () => {
  expect(lastLine('10 of 20\r20 of 20\n\u001B[32m0 differences\u001B[39m\n\n')).toBe('0 differences')
  expect(lastLine('')).toBe('')
  expect(lastLine('x'.repeat(400))).toHaveLength(301)
})

test('the newest row of each program and size is kept', () => {
  const old = row({ date: '2026-11-18', isOk: false })
  const other = row({ options: '--dialect sqlite', date: '2026-11-17' })
  const first = row({ part: 'databases', program: 'swift' })
  expect(newestOf([row({}), old, other, first])).toEqual([first, row({}), other])
})

test('a page has a table for each part', () => {
  const page = pageOf([
    row({ options: '--seed 7', result: 'a | b' }),
    row({ part: 'kills', program: 'x', isOk: false }),
  ])
  expect(page).toContain('## Random')
  expect(page).toContain(
    '| Reads are right. | `npm run verify reads -- --seed 7` | 2026-11-19 | passed | 12 | 20 | a \\| b |',
  )
  expect(page).toContain('**failed**')
  expect(page).not.toContain('## Clusters')
})

test('docs/night.md is made from test/night.json', () => {
  const results = JSON.parse(readFileSync(join(top, 'test/night.json'), 'utf8')) as NightResult[]
  expect(readFileSync(join(top, 'docs/night.md'), 'utf8')).toBe(pageOf(results))
})
