import { describe, expect, it } from 'vitest'
import { requestedFields } from './column.ts'
import { drawnColumns, edgesOf } from './drawn-columns.ts'
import { columnOf, fieldOf } from './fixtures.ts'

const related = { collection: 'customers', template: '{{name}} {{city.name}}', key: ['id'] }

describe('what is asked for', () => {
  it('is the shown paths, relations by key and words, and the key of the row', () => {
    const columns = [columnOf(fieldOf('total', 'decimal')), columnOf(fieldOf('customer', 'integer'), { related })]
    expect(requestedFields(columns, ['id'])).toEqual([
      'total',
      'customer.id',
      'customer.name',
      'customer.city.name',
      'id',
    ])
  })
  it('does not ask twice for a key that is a relation', () => {
    const columns = [columnOf(fieldOf('customer', 'integer'), { related })]
    expect(requestedFields(columns, ['customer'])).not.toContain('customer')
  })
})

describe('columns that are drawn', () => {
  const many = Array.from({ length: 100 }, (_, index) => columnOf(fieldOf(`f${index}`, 'string')))
  it('are all of them up to thirty', () => {
    const few = many.slice(0, 30)
    expect(drawnColumns(few, edgesOf(few, 52), 0, 300).columns).toHaveLength(30)
  })
  it('are those in view beyond that, with their place', () => {
    const drawn = drawnColumns(many, edgesOf(many, 52), 5000, 1000)
    expect(drawn.columns.length).toBeLessThan(30)
    expect(drawn.lead).toBe(drawn.first * 100)
    expect(52 + drawn.lead).toBeLessThanOrEqual(5000)
    expect(52 + drawn.lead + drawn.columns.length * 100).toBeGreaterThanOrEqual(6000)
  })
})
