import { expect, test } from 'vitest'
import { nextTime, parseSchedule } from './schedule.ts'

const after = (text: string, time: string) => nextTime(parseSchedule(text)!, new Date(time))?.toISOString() ?? null

test.each([
  ['0 * * * *', '2026-01-01T00:00:00.000Z', '2026-01-01T01:00:00.000Z'],
  ['* * * * * *', '2026-01-01T00:00:00.400Z', '2026-01-01T00:00:01.000Z'],
  ['*/15 * * * *', '2026-01-01T10:46:00.000Z', '2026-01-01T11:00:00.000Z'],
  ['30 2 * * *', '2026-12-31T02:30:00.000Z', '2027-01-01T02:30:00.000Z'],
  ['10,40 5 1-3 * *', '2026-01-03T05:40:00.000Z', '2026-02-01T05:10:00.000Z'],
  ['0 0 29 2 *', '2026-01-01T00:00:00.000Z', '2028-02-29T00:00:00.000Z'],
  ['0 0 * * 7', '2026-01-01T00:00:00.000Z', '2026-01-04T00:00:00.000Z'],
  ['0 0 13 * 5', '2026-01-03T00:00:00.000Z', '2026-01-09T00:00:00.000Z'],
  ['5/20 * * * * *', '2026-01-01T00:00:05.000Z', '2026-01-01T00:00:25.000Z'],
])('%s after %s is %s', (text, time, expected) => {
  expect(after(text, time)).toBe(expected)
})

test('a day that never comes has no time', () => {
  expect(after('0 0 31 2 *', '2026-01-01T00:00:00.000Z')).toBeNull()
})

test.each([
  '',
  'hourly',
  '* * * *',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '5-1 * * * *',
  '*/0 * * * *',
  'a * * * *',
])('%j is no schedule', (text) => {
  expect(parseSchedule(text)).toBeNull()
})
