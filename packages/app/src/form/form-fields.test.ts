import { describe, expect, it } from 'vitest'
import type { Field, FieldMeta } from '../model/field.ts'
import type { Relation } from '../model/relation.ts'
import { flatFields, formFields, widthOf } from './form-fields.ts'

const field = (name: string, meta: FieldMeta | null = null, type: Field['type'] = 'string'): Field => ({
  collection: 'products',
  field: name,
  type,
  schema: null,
  meta,
})

const relation = (
  collection: string,
  name: string,
  to: string,
  oneField: string,
  junction: string | null,
): Relation => ({
  collection,
  field: name,
  related_collection: to,
  schema: null,
  meta: {
    one_field: oneField,
    one_collection_field: null,
    one_allowed_collections: null,
    junction_field: junction,
    sort_field: null,
    one_deselect_action: 'nullify',
  },
})

const relations = [
  relation('reviews', 'product', 'products', 'reviews', null),
  relation('product_categories', 'product', 'products', 'product_categories', null),
  relation('product_categories', 'product', 'products', 'categories', 'category'),
  relation('product_categories', 'category', 'categories', 'products', 'product'),
]

const namesOf = (fields: readonly Field[], isVisible: (name: string) => boolean = () => true): readonly string[] =>
  flatFields(formFields({ collection: 'products' }, fields, relations, isVisible)).map((each) => each.field.field)

describe('the fields of a form', () => {
  it('include lists that nobody declared, but not the junction behind one', () => {
    expect(namesOf([field('id'), field('name')])).toEqual(['id', 'name', 'reviews', 'categories'])
  })

  it('leave out lists of collections that the caller may not see', () => {
    expect(namesOf([field('id')], (name) => name !== 'reviews')).toEqual(['id', 'categories'])
  })

  it('stand in the order of their metadata, then in that of the columns', () => {
    const fields = [field('a'), field('b', { sort: 2 }), field('c', { sort: 1 })]
    expect(namesOf(fields).slice(0, 3)).toEqual(['c', 'b', 'a'])
  })

  it('are inside their group', () => {
    const group = field('details', { special: ['alias', 'group'], sort: 1 }, 'alias')
    const [first] = formFields({ collection: 'products' }, [field('a', { group: 'details' }), group], [], () => true)
    expect(first?.field.field).toBe('details')
    expect(first?.children.map((each) => each.field.field)).toEqual(['a'])
  })

  it('stay at the top when their group is missing or inside itself', () => {
    const loop = field('one', { special: ['group'], group: 'two' }, 'alias')
    const back = field('two', { special: ['group'], group: 'one' }, 'alias')
    expect(namesOf([field('a', { group: 'gone' }), loop, back]).toSorted()).toEqual(
      ['a', 'categories', 'one', 'reviews', 'two'].toSorted(),
    )
  })
})

describe('the width of a field', () => {
  it.each([
    [field('a', { width: 'half-right' }), 'half-right'],
    [field('a'), 'half'],
    [field('a', null, 'text'), 'half'],
    [field('note', null, 'text'), 'full'],
    [field('a', null, 'json'), 'full'],
    [field('a', { width: 'unheard of' }, 'integer'), 'half'],
  ])('%o: %s', (each, expected) => {
    expect(widthOf(each)).toBe(expected)
  })
})
