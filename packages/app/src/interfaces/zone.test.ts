import { describe, expect, it } from 'vitest'
import { inputText, timeValue } from './zone.ts'

describe('a moment in a form', () => {
  it('comes back as it was read', () => {
    for (const value of ['2026-03-04T05:06:07.000Z', '2026-07-04T23:59:59.250Z'])
      expect(timeValue('timestamp', inputText('timestamp', value))).toBe(value)
  })

  it('without a zone is left as it is', () => {
    expect(inputText('dateTime', '2026-03-04T05:06:07')).toBe('2026-03-04T05:06:07')
    expect(timeValue('dateTime', '2026-03-04T05:06')).toBe('2026-03-04T05:06:00')
  })

  it('of a day or a time of day has no zone', () => {
    expect(timeValue('date', '2026-01-02')).toBe('2026-01-02')
    expect(timeValue('time', '12:34')).toBe('12:34:00')
    expect(inputText('time', '12:34:56+02')).toBe('12:34:56')
  })

  it('that is emptied is NULL', () => {
    expect(timeValue('timestamp', '')).toBeNull()
  })
})
