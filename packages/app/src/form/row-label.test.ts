import { describe, expect, it } from 'vitest'
import type { Collection } from '../model/collection.ts'
import type { Field } from '../model/field.ts'
import { rowLabel } from './row-label.ts'

const field = (name: string, type: Field['type'] = 'string'): Field => ({
  collection: 'customers',
  field: name,
  type,
  schema: null,
  meta: null,
})
const customers: Collection = {
  collection: 'customers',
  kind: 'table',
  key: ['id'],
  access: 0,
  display_template: '{{email}}',
}
const fields = [field('id', 'integer'), field('first_name'), field('last_name'), field('email'), field('city')]

describe('the name of a row', () => {
  const label = rowLabel(customers, fields)
  const row = { id: 7, email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' }

  it('is its display template, with a hint from other texts', () => {
    expect(label.title(row)).toBe('ada@example.com')
    expect(label.hint(row)).toBe('Ada Lovelace')
  })

  it('asks only for the fields that it shows', () => {
    expect(label.paths).toEqual(['id', 'email', 'first_name', 'last_name'])
  })

  it('is its key where the template is empty for it', () => {
    expect(label.title({ id: 7, email: null })).toBe('7')
    expect(rowLabel({ ...customers, key: ['a', 'b'] }, []).title({ a: 1, b: 'x' })).toBe('1, x')
  })

  it('says that a row is new when it has no key', () => {
    expect(label.title({})).toBe('New row')
  })
})
