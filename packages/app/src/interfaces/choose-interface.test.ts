import { describe, expect, it } from 'vitest'
import type { Field, FieldMeta } from '../model/field.ts'
import type { FieldRelation, Relation } from '../model/relation.ts'
import { chooseInterface, interfaceNames } from './choose-interface.ts'

const field = (type: Field['type'], meta: FieldMeta | null = null): Field => ({
  collection: 'things',
  field: 'thing',
  type,
  schema: null,
  meta,
})

const relation: Relation = {
  collection: 'orders',
  field: 'customer',
  related_collection: 'customers',
  schema: null,
  meta: null,
}
const toOne: FieldRelation = { kind: 'm2o', to: 'customers', relation }
const toMany: FieldRelation = { kind: 'o2m', to: 'orders', relation }

describe('the control of a field', () => {
  it.each([
    ['string', 'input'],
    ['text', 'input'],
    ['decimal', 'input'],
    ['boolean', 'boolean'],
    ['timestamp', 'datetime'],
    ['json', 'input-code'],
    ['csv', 'tags'],
    ['hash', 'input-hash'],
    ['binary', 'bytes'],
    ['geometry.Point', 'input-code'],
    ['unknown', 'input'],
  ] as const)('is the usual one of its type: %s → %s', (type, name) => {
    expect(chooseInterface(field(type), null)).toEqual({ name, note: null })
  })

  it('is the one that the metadata names', () => {
    expect(chooseInterface(field('string', { interface: 'select-radio' }), null).name).toBe('select-radio')
    expect(chooseInterface(field('text', { interface: 'input-rich-text-md' }), null).name).toBe('input-multiline')
  })

  it('has several lines where the name of a text suggests them', () => {
    expect(chooseInterface({ ...field('text'), field: 'description' }, null).name).toBe('input-multiline')
    expect(chooseInterface({ ...field('string'), field: 'description' }, null).name).toBe('input')
  })

  it('falls back by type when the name is unknown, and says so', () => {
    const chosen = chooseInterface(field('integer', { interface: 'fancy-slider' }), null)
    expect(chosen.name).toBe('input')
    expect(chosen.note).toContain('fancy-slider')
  })

  it('falls back by type when the named one cannot edit the type', () => {
    const chosen = chooseInterface(field('boolean', { interface: 'tags' }), null)
    expect(chosen.name).toBe('boolean')
    expect(chosen.note).toContain('does not fit')
  })

  it('follows the relation', () => {
    expect(chooseInterface(field('integer'), toOne).name).toBe('select-dropdown-m2o')
    expect(chooseInterface(field('alias'), toMany).name).toBe('list-o2m')
    expect(chooseInterface(field('alias', { interface: 'list-m2m' }), toMany).name).toBe('list-o2m')
  })

  it('may edit a reference as a plain value when the metadata asks for it', () => {
    expect(chooseInterface(field('integer', { interface: 'input' }), toOne)).toEqual({ name: 'input', note: null })
  })

  it('hides secrets whatever their type', () => {
    expect(chooseInterface(field('text', { special: ['conceal'] }), null).name).toBe('input-hash')
  })

  it('offers choices where there are any', () => {
    const options = { choices: ['a', 'b'] }
    expect(chooseInterface(field('string', { options }), null).name).toBe('select-dropdown')
    expect(chooseInterface(field('json', { options }), null).name).toBe('select-multiple-dropdown')
  })

  it('edits a list of texts as tags', () => {
    const column = { data_type: 'text[]' } as Field['schema']
    expect(chooseInterface({ ...field('json'), schema: column }, null).name).toBe('tags')
  })
})

it('names are unique', () => {
  expect(new Set(interfaceNames).size).toBe(interfaceNames.length)
})
