import { describe, expect, it } from 'vitest'
import { columnOf, fieldOf } from './fixtures.ts'
import { parseValue, plainNumber } from './parse-value.ts'

const valueOf = (text: string, ...field: Parameters<typeof fieldOf>): unknown => {
  const parsed = parseValue(text, columnOf(fieldOf(...field)))
  return parsed.isValue ? parsed.value : `refused: ${parsed.reason}`
}

describe('numbers', () => {
  it('stay text where a float could lose digits', () => {
    expect(valueOf('12345678901234567.89', 'total', 'decimal', { numeric_precision: 30, numeric_scale: 2 })).toBe(
      '12345678901234567.89',
    )
    expect(valueOf('9007199254740993', 'id', 'bigInteger')).toBe('9007199254740993')
  })
  it('are read as spreadsheets write them', () => {
    expect(plainNumber('1,518.58')).toBe('1518.58')
    expect(plainNumber('1.518,58')).toBe('1518.58')
    expect(plainNumber('1 518,58')).toBe('1518.58')
    expect(plainNumber('−5')).toBe('-5')
  })
  it('are refused with the reason when they do not fit', () => {
    const total = { numeric_precision: 5, numeric_scale: 2 }
    expect(valueOf('1.234', 'total', 'decimal', total)).toBe('refused: At most 2 digits fit after the point.')
    expect(valueOf('1234.5', 'total', 'decimal', total)).toBe('refused: At most 3 digits fit before the point.')
    expect(valueOf('1.230', 'total', 'decimal', total)).toBe('1.230')
    expect(valueOf('4.5', 'items', 'integer')).toBe('refused: “4.5” is not a whole number.')
  })
})

describe('an empty cell', () => {
  it('is NULL where that is allowed, else the empty text, else refused', () => {
    expect(valueOf('', 'note', 'text')).toBeNull()
    expect(valueOf('', 'note', 'text', { is_nullable: false })).toBe('')
    expect(valueOf('', 'items', 'integer', { is_nullable: false })).toMatch(/^refused: This field cannot be empty/u)
  })
})

describe('other kinds', () => {
  it('read truth in many words', () => {
    expect(valueOf('Yes', 'paid', 'boolean')).toBe(true)
    expect(valueOf('0', 'paid', 'boolean')).toBe(false)
    expect(valueOf('maybe', 'paid', 'boolean')).toMatch(/^refused/u)
  })
  it('know which days there are', () => {
    expect(valueOf('2026-2-3', 'due', 'date')).toBe('2026-02-03')
    expect(valueOf('2026-02-30', 'due', 'date')).toBe('refused: There is no 2026-02-30.')
  })
  it('leave a moment without a zone as it was written', () => {
    expect(valueOf('2026-02-03 14:30', 'at', 'dateTime')).toBe('2026-02-03T14:30:00')
    expect(valueOf('2026-02-03T14:30:00Z', 'at', 'timestamp')).toBe('2026-02-03T14:30:00.000Z')
  })
  it('take choices by value or words, whatever the case', () => {
    const choices = { enum_values: ['paid', 'open'] }
    expect(valueOf('PAID', 'status', 'string', choices)).toBe('paid')
    expect(valueOf('lost', 'status', 'string', choices)).toBe('refused: “lost” is not one of paid, open.')
  })
  it('count characters as people do', () => {
    expect(valueOf('😀😀', 'code', 'string', { max_length: 2 })).toBe('😀😀')
    expect(valueOf('abc', 'code', 'string', { max_length: 2 })).toBe('refused: At most 2 characters fit; these are 3.')
  })
  it('read the key of a relation by the type of its column', () => {
    const customer = { foreign_key_table: 'customers', foreign_key_column: 'id' }
    expect(valueOf('7', 'customer', 'integer', customer)).toBe(7)
    expect(valueOf('Ada', 'customer', 'integer', customer)).toMatch(/^refused/u)
  })
  it('never write a secret', () => {
    expect(valueOf('x', 'password', 'hash')).toMatch(/^refused/u)
  })
})
