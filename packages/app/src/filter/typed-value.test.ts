import { expect, test } from 'vitest'
import { localTime, typedNumber, wireTime } from './typed-value.ts'

test('numbers keep all their digits', () => {
  expect(typedNumber('42')).toBe(42)
  expect(typedNumber('9007199254740993')).toBe('9007199254740993')
  expect(typedNumber('1.50')).toBe('1.50')
  expect(typedNumber('-')).toBe('-')
  expect(typedNumber('')).toBe('')
})

test('a moment is shown in the zone of the browser and sent in UTC', () => {
  const sent = '2026-03-09T12:00:05.000Z'
  expect(wireTime(localTime(sent, 'timestamp'), 'timestamp')).toBe(sent)
})

test('dates, times and moments without a zone are not moved', () => {
  expect(localTime('2026-03-09', 'date')).toBe('2026-03-09')
  expect(wireTime('2026-03-09T12:00:05', 'dateTime')).toBe('2026-03-09T12:00:05')
  expect(localTime('12:30:00', 'time')).toBe('12:30:00')
})
