import { expect, test } from 'vitest'
import { readTimestamp, readTime, shownDateTime, shownTime, shownTimestamp } from './time-text.ts'

test.each([
  ['2024-02-29', 0, 0, null],
  ['2024-02-29T22:30', 22, 0, null],
  ['2024-02-29 22:30:00.5Z', 22, 500_000, 0],
  ['2024-02-29T22:30:00.123456+05:30', 22, 123_456, 330],
  ['2024-02-29 22:30:00.123456+00', 22, 123_456, 0],
  ['2024-02-29t22:30:00-0800', 22, 0, -480],
  ['2024-02-29T22:30:00.1234567', 22, 123_457, null],
])('%s is a date and time', (text, hour, micro, offset) => {
  expect(readTimestamp(text)).toMatchObject({ date: '2024-02-29', hour, micro, offset })
})

test.each([
  'yesterday',
  'now',
  'today',
  'infinity',
  '',
  '2024',
  '2024-2-9',
  '20240229',
  '20240229T223000Z',
  'Feb 29 2024',
  '29.02.2024',
  '2023-02-29',
  '1900-02-29',
  '2024-13-01',
  '2024-00-10',
  '0000-01-01',
  '2024-01-01T24:00:00',
  '2024-01-01T10:60:00',
  '2024-01-01T10:00:60',
  '2024-01-01T10',
  '2024-01-01T10:00:00+16:00',
  '2024-01-01T10:00:00 Europe/Berlin',
  '2024-01-01Z',
  '2024-01-01T10:00:00,5',
  'J2451187',
])('%s is none', (text) => expect(readTimestamp(text)).toBeNull())

test.each(['00:00', '9:05', '23:59:59', '23:59:59.999999', '24:00:00'])('%s is a time of day', (text) => {
  expect(readTime(text)).not.toBeNull()
})

test.each(['24:00:01', '12:60', '12', '12:00:00Z', 'noon', 'allballs', '12:00 PM', '-01:00'])(
  '%s is no time of day',
  (text) => expect(readTime(text)).toBeNull(),
)

test.each([
  ['2024-02-29 12:00:00', '2024-02-29T12:00:00.000Z', '2024-02-29T12:00:00'],
  ['2024-02-29 12:00:00.5', '2024-02-29T12:00:00.500Z', '2024-02-29T12:00:00.500'],
  ['2024-02-29 12:00:00.120000', '2024-02-29T12:00:00.120Z', '2024-02-29T12:00:00.120'],
  ['2024-02-29 12:00:00.000000', '2024-02-29T12:00:00.000Z', '2024-02-29T12:00:00'],
  ['2024-02-29 12:00:00.1234', '2024-02-29T12:00:00.123400Z', '2024-02-29T12:00:00.123400'],
  ['2024-02-29 12:00:00.000001', '2024-02-29T12:00:00.000001Z', '2024-02-29T12:00:00.000001'],
  ['12345-01-01 12:00:00.5', '12345-01-01T12:00:00.500Z', '12345-01-01T12:00:00.500'],
])('%s has three digits of a fraction, six where they are needed', (text, timestamp, dateTime) => {
  expect(shownTimestamp(text)).toBe(timestamp)
  expect(shownDateTime(text)).toBe(dateTime)
})

test('a time of day shows its fraction where there is one', () => {
  expect(['05:06:07', '05:06:07.5', '05:06:07.000', '-100:00:00.25'].map(shownTime)).toEqual([
    '05:06:07',
    '05:06:07.500',
    '05:06:07',
    '-100:00:00.250',
  ])
})
