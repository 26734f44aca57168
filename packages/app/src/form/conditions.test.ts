import { describe, expect, it } from 'vitest'
import type { Field } from '../model/field.ts'
import { clearedBy, conditionThatHolds, underCondition } from './conditions.ts'

const field: Field = {
  collection: 'orders',
  field: 'reason',
  type: 'text',
  schema: null,
  meta: {
    required: false,
    options: { placeholder: 'Why', rows: 2 },
    conditions: [
      {
        name: 'returned',
        rule: { status: { _eq: 'returned' } },
        required: true,
        options: { placeholder: 'Why sent back' },
      },
      { name: 'large', rule: { total: { _gt: 100 } }, readonly: true },
      { name: 'new', rule: { status: { _eq: 'new' } }, hidden: true, clear_hidden_value_on_save: true },
    ],
  },
}

describe('conditions of a field', () => {
  it('apply while their rule holds', () => {
    const place = conditionThatHolds(field, { status: 'returned', total: 5 }, {})
    expect(underCondition(field, place).meta).toMatchObject({
      required: true,
      options: { placeholder: 'Why sent back', rows: 2 },
    })
  })

  it('leave the field alone while none holds', () => {
    const place = conditionThatHolds(field, { status: 'open', total: 5 }, {})
    expect(place).toBe(-1)
    expect(underCondition(field, place)).toBe(field)
  })

  it('count by the last one that holds', () => {
    const place = conditionThatHolds(field, { status: 'returned', total: 500 }, {})
    expect(underCondition(field, place).meta).toMatchObject({ readonly: true, required: false })
  })

  it('name the hidden fields that are emptied on saving', () => {
    expect(clearedBy([field], { status: 'new' }, {})).toEqual(['reason'])
    expect(clearedBy([field], { status: 'open' }, {})).toEqual([])
  })
})
