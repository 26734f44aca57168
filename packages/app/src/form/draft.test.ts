import { describe, expect, it } from 'vitest'
import {
  afterSaving,
  change,
  compareWith,
  countChanges,
  discard,
  editedFields,
  emptyDraft,
  isSame,
  mergeInto,
  valueAt,
} from './draft.ts'

const base = { id: 1, name: 'Chair', price: '10.00', tags: ['a'], supplier: 3 }

describe('a draft that was saved', () => {
  it('keeps what was typed while it was on its way', () => {
    const sent = change(emptyDraft(base), 'name', 'Stool')
    const typed = change(change(sent, 'name', 'Stools'), 'price', '12.00')
    expect(afterSaving(typed, sent.patch, { name: 'Stool', price: '10.00' }).patch).toEqual({
      name: 'Stools',
      price: '12.00',
    })
  })

  it('has no change left when nothing was typed meanwhile', () => {
    const sent = change(emptyDraft(base), 'name', ' Stool ')
    expect(afterSaving(sent, sent.patch, { name: 'Stool' })).toEqual({ base: { ...base, name: 'Stool' }, patch: {} })
  })
})

describe('a draft', () => {
  it('shows what was read until a field is changed', () => {
    const draft = change(emptyDraft(base), 'name', 'Stool')
    expect(valueAt(draft, 'name')).toBe('Stool')
    expect(valueAt(draft, 'price')).toBe('10.00')
    expect(draft.patch).toEqual({ name: 'Stool' })
  })

  it('holds no change for a value that is back to what was read', () => {
    const draft = change(change(emptyDraft(base), 'tags', ['a', 'b']), 'tags', ['a'])
    expect(editedFields(draft)).toEqual([])
  })

  it('keeps null and the empty text apart', () => {
    const draft = change(emptyDraft({ note: null }), 'note', '')
    expect(draft.patch).toEqual({ note: '' })
  })

  it('takes back one field and keeps the others', () => {
    const draft = discard(change(change(emptyDraft(base), 'name', 'Stool'), 'price', '9'), 'name')
    expect(draft.patch).toEqual({ price: '9' })
  })

  it('counts a field once and the rows of a list one by one', () => {
    const lines = { create: [{ line: 1 }, { line: 2 }], update: [], delete: [7] }
    expect(countChanges(change(change(emptyDraft(base), 'name', 'x'), 'lines', lines))).toBe(4)
  })

  it('drops a list whose changes are all taken back', () => {
    const lines = { create: [{ line: 1 }], update: [], delete: [] }
    const draft = change(change(emptyDraft(base), 'lines', lines), 'lines', { create: [], update: [], delete: [] })
    expect(draft.patch).toEqual({})
  })
})

describe('a row that changed elsewhere', () => {
  const mine = change(change(emptyDraft(base), 'name', 'Stool'), 'price', '9.00')
  const theirs = { ...base, name: 'Bench', price: '9.00', supplier: 4 }

  it('takes over fields that were not touched here', () => {
    expect(compareWith(mine, theirs).taken).toEqual(['supplier'])
  })

  it('asks only about fields with two different values', () => {
    expect(compareWith(mine, theirs).conflicts).toEqual([
      { field: 'name', was: 'Chair', theirs: 'Bench', mine: 'Stool' },
    ])
  })

  it('sends what was chosen from here', () => {
    const merged = mergeInto(mine, theirs, new Set())
    expect(merged.patch).toEqual({ name: 'Stool' })
    expect(merged.base).toEqual(theirs)
  })

  it('sends nothing where their value was chosen', () => {
    expect(mergeInto(mine, theirs, new Set(['name'])).patch).toEqual({})
  })

  it('keeps the changes of lists, which the row does not show', () => {
    const lines = { create: [{ line: 1 }], update: [], delete: [] }
    expect(mergeInto(change(mine, 'lines', lines), theirs, new Set(['name'])).patch).toEqual({ lines })
  })
})

describe('two values are the same', () => {
  it.each([
    [{ a: [1, { b: null }] }, { a: [1, { b: null }] }, true],
    [{ a: 1 }, { a: 1, b: undefined }, false],
    [null, undefined, true],
    ['1', 1, false],
    [[1, 2], [2, 1], false],
    [[], {}, false],
  ])('%j and %j: %s', (a, b, expected) => {
    expect(isSame(a, b)).toBe(expected)
  })
})
