import { expect, test } from 'vitest'
import {
  dateOf,
  numberLike,
  partOf,
  secondsSince2001,
  shortTimestamp,
  timeOf,
  timestampKey,
  timestampOfNumber,
} from './timestamps.ts'

test('one moment has one key, however it is spelled', () => {
  const spellings = [
    '2024-02-29T22:30:00Z',
    '2024-02-29 22:30:00',
    '2024-02-29T23:30:00.000+01:00',
    '2024-03-01 00:30+0200',
  ]
  expect(new Set(spellings.map((text) => timestampKey(text, true)))).toEqual(new Set(['2024-02-29 22:30:00.000000']))
})

test('six digits of a fraction, whatever there was', () => {
  expect(timestampKey('2024-02-28 23:59:59', true)).toBe('2024-02-28 23:59:59.000000')
  expect(timestampKey('2024-02-28 23:59:59.5', false)).toBe('2024-02-28 23:59:59.500000')
  expect(timestampKey('2024-01-31 23:59:59.123456', true)).toBe('2024-01-31 23:59:59.123456')
  expect(timestampKey('0000-01-01 00:00:00', true)).toBeNull()
})

test('a zone does not count where there is none', () => {
  expect(timestampKey('2024-01-01T10:00:00+05:00', false)).toBe('2024-01-01 10:00:00.000000')
})

test.each(['2023-02-29', '2024-13-01', '2024-01-01T25:00:00', '2024-01-01T10:60', 'yesterday', '', '12:00'])(
  '%s is no moment',
  (text) => expect(timestampKey(text, true)).toBeNull(),
)

test('numbers count seconds, milliseconds or microseconds', () => {
  expect(timestampOfNumber(1_700_000_000)).toBe('2023-11-14 22:13:20.000000')
  expect(timestampOfNumber(1_700_000_000_123)).toBe('2023-11-14 22:13:20.123000')
  expect(timestampOfNumber(1_700_000_000_123_456)).toBe('2023-11-14 22:13:20.123456')
  expect(timestampOfNumber(17e17)).toBeNull()
  expect(timestampOfNumber(-99_999_999_999)).toBeNull()
  expect(timestampOfNumber(726_926_400.5, 2001)).toBe('2024-01-14 12:00:00.500000')
})

test.each([
  ['2024-01-02 03:04:05', 1_700_000_000, 1_704_164_645n],
  ['2024-01-02 03:04:05.500', 1_700_000_000, 1_704_164_645.5],
  ['2024-01-02 03:04:05.500', 1_700_000_000_123, 1_704_164_645_500n],
  ['2024-01-02 03:04:05.123456', 1_700_000_000_123, 1_704_164_645_123.456],
  ['2024-01-02 03:04:05.500', 1_700_000_000_123_456, 1_704_164_645_500_000n],
  ['1969-12-31 23:59:59.500', 5, -0.5],
  // It would be read in another unit.
  ['1970-01-02 00:00:00', 1_700_000_000_123, '1970-01-02 00:00:00'],
  ['2024-01-02 03:04:05', 17e17, '2024-01-02 03:04:05'],
])('%s in the unit of %s is %s', (text, other, written) => expect(numberLike(text, other)).toBe(written))

test('seconds since 2001 have a fraction only if there is one', () => {
  expect(secondsSince2001('2024-01-02 03:04:05')).toBe(725_857_445n)
  expect(secondsSince2001('2000-12-31 23:59:59.250')).toBe(-0.75)
})

test('what is written has no more digits than it needs', () => {
  expect(shortTimestamp('2024-01-01 10:00:00.000000')).toBe('2024-01-01 10:00:00')
  expect(shortTimestamp('2024-01-01 10:00:00.120000')).toBe('2024-01-01 10:00:00.120')
  expect(shortTimestamp('2024-01-01 10:00:00.123456')).toBe('2024-01-01 10:00:00.123456')
})

test('days and times of day', () => {
  expect(dateOf('2024-05-05T23:00:00Z')).toBe('2024-05-05')
  expect(dateOf('2024-02-30')).toBeNull()
  expect(timeOf('9:05')).toBe('09:05:00')
  expect(timeOf('23:59:59.500')).toBe('23:59:59.5')
  expect(timeOf('24:61:00')).toBeNull()
})

test.each([
  ['week', '2021-01-03', 53],
  ['week', '2021-01-04', 1],
  ['week', '2024-12-30', 1],
  ['weekday', '2024-06-02', 0],
  ['year', '2024-06-02T23:59:59Z', 2024],
  ['second', '2024-06-02T23:59:59.999Z', 59],
  ['minute', '12:34:56', 34],
])('the %s of %s', (part, text, value) => expect(partOf(part, text)).toBe(value))
