import { expect, it } from 'vitest'
import { searchQuery } from './search.ts'

it('text is left to the search of the service', () => {
  expect(searchQuery({ display_template: '{{name}} {{owner.name}}' }, ' ada ')).toEqual({ search: 'ada' })
})

it('rows that are only called by related rows are found by those', () => {
  expect(searchQuery({ display_template: '{{product.name}}' }, 'oak')).toEqual({
    filter: { _or: [{ product: { name: { _icontains: 'oak' } } }] },
  })
})

it('no text asks for all rows', () => {
  expect(searchQuery({ display_template: '{{name}}' }, '  ')).toEqual({})
})
