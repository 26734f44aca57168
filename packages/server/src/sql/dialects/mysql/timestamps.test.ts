import { expect, test } from 'vitest'
import { dateText, dateTimeText, timestampText, timeText } from './timestamps.ts'

test('a point in time is stored in UTC, a time on a clock as it is', () => {
  expect(timestampText('2024-03-01T00:30:00.5+02:00')).toBe('2024-02-29 22:30:00.500000')
  expect(dateTimeText('2024-03-01T00:30:00.5+02:00')).toBe('2024-03-01 00:30:00.500000')
  expect(dateText('2024-03-01T00:30:00+02:00')).toBe('2024-03-01')
})

test('microseconds stay, what is finer is rounded', () => {
  expect(dateTimeText('2024-01-01 10:00:00.123456')).toBe('2024-01-01 10:00:00.123456')
  expect(dateTimeText('2024-12-31T23:59:59.9999999')).toBe('2025-01-01 00:00:00')
  expect(dateTimeText('0050-01-01')).toBe('0050-01-01 00:00:00')
})

test.each(['12345-01-01', '9999-12-31T23:59:59.9999999', 'yesterday'])('%s has no place here', (text) => {
  expect(dateTimeText(text)).toBeNull()
})

test.each(['9:05', '23:59:59.5', '-01:30:00', '100:00:00.25', '838:59:59'])('%s is a time', (text) => {
  expect(timeText(text)).toBe(text)
})

test.each(['839:00:00', '12:00 PM', 'now', '1000:00:00'])('%s is no time', (text) => expect(timeText(text)).toBeNull())
