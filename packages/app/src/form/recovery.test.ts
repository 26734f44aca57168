import { describe, expect, it } from 'vitest'
import { findDraft, forgetDrafts, keepDraft } from './recovery.ts'

function memory() {
  const entries = new Map<string, string>()
  return {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
    removeItem: (name: string) => void entries.delete(name),
    key: (index: number) => [...entries.keys()][index] ?? null,
    get length() {
      return entries.size
    },
  }
}

const place = { user: 'u', collection: 'orders', key: '1' }
const kept = { etag: '"7"', base: { id: 1 }, patch: { status: 'paid' }, at: 10 }

describe('a kept draft', () => {
  it('is found again for the same user and row', () => {
    const store = memory()
    keepDraft(store, place, kept)
    expect(findDraft(store, place)).toEqual(kept)
    expect(findDraft(store, { ...place, user: 'v' })).toBeNull()
    expect(findDraft(store, { ...place, key: '11' })).toBeNull()
  })

  it('knows the version of the row that it was made to', () => {
    const store = memory()
    keepDraft(store, place, kept)
    keepDraft(store, place, { ...kept, etag: '"8"', at: 20 })
    expect(findDraft(store, place)?.etag).toBe('"8"')
  })

  it('is forgotten when it has no changes', () => {
    const store = memory()
    keepDraft(store, place, kept)
    keepDraft(store, place, { ...kept, patch: {} })
    expect(findDraft(store, place)).toBeNull()
  })

  it('is forgotten on demand, and others are kept', () => {
    const store = memory()
    keepDraft(store, place, kept)
    keepDraft(store, { ...place, key: '2' }, kept)
    forgetDrafts(store, place)
    expect(findDraft(store, place)).toBeNull()
    expect(findDraft(store, { ...place, key: '2' })).not.toBeNull()
  })

  it('that cannot be read is none', () => {
    const store = memory()
    store.setItem('tain.draft:["u","orders","1"]:"7"', '{')
    expect(findDraft(store, place)).toBeNull()
  })
})
