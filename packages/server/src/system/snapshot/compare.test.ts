import { describe, expect, it } from 'vitest'
import type { SnapshotSections } from '@tain/contract'
import { compare, isEmpty } from './compare.ts'
import { patch, type Raw } from './patch.ts'

const sections = (more: Record<string, readonly object[]> = {}) =>
  ({ collections: [], fields: [], systemFields: [], relations: [], ...more }) as unknown as SnapshotSections

const shop = { collection: 'shop', schema: { name: 'shop', comment: null }, meta: null }
const label = {
  collection: 'shop',
  field: 'label',
  type: 'string',
  schema: { max_length: 40, comment: null },
  meta: null,
}

describe('what is between two snapshots', () => {
  it('is nothing when they are equal, whatever the order of members', () => {
    const turned = { meta: null, schema: { comment: null, name: 'shop' }, collection: 'shop' }
    expect(isEmpty(compare(sections({ collections: [shop] }), sections({ collections: [turned] }), 'mirror'))).toBe(
      true,
    )
  })

  it('names what is new', () => {
    const { collections } = compare(sections(), sections({ collections: [shop] }), 'merge')
    expect(collections).toEqual([{ collection: 'shop', diff: [{ kind: 'N', rhs: shop }] }])
  })

  it('names the members that differ, and no others', () => {
    const longer = { ...label, schema: { ...label.schema, max_length: 80 } }
    const { fields } = compare(sections({ fields: [label] }), sections({ fields: [longer] }), 'merge')
    expect(fields).toEqual([
      { collection: 'shop', field: 'label', diff: [{ kind: 'E', path: ['schema', 'max_length'], lhs: 40, rhs: 80 }] },
    ])
  })

  it('has what goes only when mirroring', () => {
    const before = sections({ collections: [shop] })
    expect(isEmpty(compare(before, sections(), 'merge'))).toBe(true)
    expect(compare(before, sections(), 'mirror').collections).toEqual([
      { collection: 'shop', diff: [{ kind: 'D', lhs: shop }] },
    ])
  })

  it('keeps metadata and foreign keys that a merged file says nothing about', () => {
    const noted = { ...label, meta: { note: 'hello' } }
    const before = sections({ fields: [noted] })
    expect(isEmpty(compare(before, sections({ fields: [label] }), 'merge'))).toBe(true)
    expect(compare(before, sections({ fields: [label] }), 'mirror').fields).toEqual([
      { collection: 'shop', field: 'label', diff: [{ kind: 'E', path: ['meta'], lhs: { note: 'hello' }, rhs: null }] },
    ])
  })

  it('leaves alone what only one of them speaks of', () => {
    const before = sections({ roles: [{ id: 'a', name: 'Editors' }] })
    expect(compare(before, sections(), 'mirror')).not.toHaveProperty('roles')
  })

  it('takes names for what they are, however they are spelt', () => {
    const odd = ['__proto__', 'constructor', 'a.b', '"'].map((name) => ({ ...shop, collection: name }))
    const diff = compare(sections(), sections({ collections: odd }), 'mirror')
    expect(diff.collections?.map((object) => object['collection'])).toEqual(['__proto__', 'constructor', 'a.b', '"'])
  })
})

describe('a diff that is applied', () => {
  const applied = (before: SnapshotSections, after: SnapshotSections) =>
    patch(before as unknown as Raw, compare(before, after, 'mirror'))

  it('gives what it was made from', () => {
    const before = sections({ collections: [shop], fields: [label] })
    const after = sections({
      collections: [{ ...shop, collection: 'other' }],
      fields: [{ ...label, schema: { ...label.schema, max_length: null }, meta: { note: 'x' } }],
    })
    expect(applied(before, after)).toEqual(after)
  })

  it('takes members away that are gone', () => {
    const before = sections({ fields: [{ ...label, schema: { ...label.schema, default_expression: 'now()' } }] })
    expect(applied(before, sections({ fields: [label] })).fields).toEqual([label])
  })

  it.each([
    ['a list of objects', { fields: 'all' }],
    ['an entry without edits', { fields: [{ collection: 'shop', field: 'label' }] }],
    ['another kind', { fields: [{ collection: 'shop', field: 'label', diff: [{ kind: 'A', path: ['meta'] }] }] }],
    ['a deep path', { fields: [{ collection: 'shop', field: 'label', diff: [{ kind: 'E', path: ['a', 'b', 'c'] }] }] }],
    [
      'something unknown',
      { fields: [{ collection: 'shop', field: 'x', diff: [{ kind: 'E', path: ['meta'], rhs: {} }] }] },
    ],
    [
      'a member of nothing',
      { fields: [{ collection: 'shop', field: 'label', diff: [{ kind: 'E', path: ['meta', 'note'], rhs: 'x' }] }] },
    ],
  ])('is refused for %s', (_, diff) => {
    expect(() => patch(sections({ fields: [label] }) as unknown as Raw, diff)).toThrow(
      expect.objectContaining({ code: 'INVALID_PAYLOAD' }),
    )
  })
})
