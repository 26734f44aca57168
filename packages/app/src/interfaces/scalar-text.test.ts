import { describe, expect, it } from 'vitest'
import type { Field } from '../model/field.ts'
import { problemOfText, valueOfText } from './scalar-text.ts'

const field = (type: Field['type']): Field => ({ collection: 'c', field: 'f', type, schema: null, meta: null })

describe('typed text', () => {
  it('is a number where the service sends numbers', () => {
    expect(valueOfText(field('integer'), ' 12 ')).toBe(12)
    expect(valueOfText(field('float'), '1.5e3')).toBe(1500)
  })

  it('stays text where numbers are exact', () => {
    expect(valueOfText(field('decimal'), '12345678901234567890.0123456789')).toBe('12345678901234567890.0123456789')
    expect(valueOfText(field('bigInteger'), '9007199254740993')).toBe('9007199254740993')
  })

  it('is NULL for a number without digits, and empty for a text without letters', () => {
    expect(valueOfText(field('decimal'), '')).toBeNull()
    expect(valueOfText(field('string'), '')).toBe('')
  })

  it('keeps spaces in texts', () => {
    expect(valueOfText(field('string'), ' a ')).toBe(' a ')
  })

  it('says when it is no number', () => {
    expect(problemOfText(field('integer'), '1.5')).toContain('whole number')
    expect(problemOfText(field('decimal'), 'abc')).toContain('number')
    expect(problemOfText(field('decimal'), '-0.50')).toBeNull()
    expect(problemOfText(field('string'), 'abc')).toBeNull()
  })
})
