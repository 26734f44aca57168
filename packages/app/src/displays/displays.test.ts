import { describe, expect, it } from 'vitest'
import type { Field } from '../model/field.ts'
import { displayText } from './display.ts'
import { dayText, momentText, timeText } from './moment-text.ts'
import { numberText } from './number-text.ts'

const field = (type: Field['type'], meta: Field['meta'] = null): Field => ({
  collection: 'orders',
  field: 'total',
  type,
  schema: null,
  meta,
})

describe('numbers', () => {
  it('keep every digit of a decimal that no float can hold', () => {
    expect(numberText('12345678901234567890.123456789', 'en')).toBe('12,345,678,901,234,567,890.123456789')
  })
  it('keep the zeros at the end, which say how exact a value is', () => {
    expect(numberText('1518.50', 'en')).toBe('1,518.50')
    expect(numberText('1518.50', 'de')).toBe('1.518,50')
  })
  it('show what is no number as it is', () => {
    expect(numberText('NaN', 'en')).toBe('NaN')
    expect(numberText('1e400', 'en')).toBe('1e400')
  })
})

describe('dates and times', () => {
  it('read the same day in every zone', () => {
    expect(dayText('2026-02-01', 'en-US')).toBe('Feb 1, 2026')
  })
  it('leave a moment without a zone on the clock it was written by', () => {
    expect(momentText('2026-02-01T23:30:00', 'en-US')).toBe('Feb 1, 2026, 23:30')
  })
  it('show midnight as 00', () => {
    expect(momentText('2026-02-01T00:05:00', 'en-US')).toBe('Feb 1, 2026, 00:05')
  })
  it('leave out seconds that are zero', () => {
    expect(timeText('14:30:00')).toBe('14:30')
    expect(timeText('14:30:05')).toBe('14:30:05')
  })
  it('show what is no date as it is', () => {
    expect(dayText('infinity', 'en')).toBe('infinity')
  })
})

describe('values in words', () => {
  it('tell NULL from the empty text', () => {
    expect(displayText(null, field('string'), 'en')).toBe('NULL')
    expect(displayText('', field('string'), 'en')).toBe('""')
  })
  it('use the words of a choice', () => {
    const choices = { options: { choices: [{ value: 'p', text: 'Paid' }] } }
    expect(displayText('p', field('string', choices), 'en')).toBe('Paid')
    expect(displayText('x', field('string', choices), 'en')).toBe('x')
  })
  it('never show a secret', () => {
    expect(displayText('hunter2', field('hash'), 'en')).toBe('••••••')
  })
})
