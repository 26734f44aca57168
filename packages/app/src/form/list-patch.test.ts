import { describe, expect, it } from 'vitest'
import {
  noChanges,
  stageCreate,
  stageLink,
  stageRemove,
  stageUpdate,
  stateOf,
  unstageCreate,
  unstageRemove,
  updateOf,
} from './list-patch.ts'

const single = { key: ['id'] }
const lines = { key: ['order', 'line'] }

describe('changes of a list', () => {
  it('are sent as create, update and delete', () => {
    let patch = stageCreate(noChanges, { rating: 4 })
    patch = stageUpdate(patch, single, { id: 1, rating: 5 }, { rating: 3 }, false)
    patch = stageRemove(patch, single, { id: 6 })
    expect(patch).toEqual({ create: [{ rating: 4 }], update: [{ id: 1, rating: 3 }], delete: [6] })
  })

  it('name a row by all parts of its key', () => {
    let patch = stageUpdate(noChanges, lines, { order: 1, line: 2 }, { quantity: 3 }, false)
    patch = stageRemove(patch, lines, { order: 1, line: 1 })
    expect(patch).toEqual({
      create: [],
      update: [{ order: 1, line: 2, quantity: 3 }],
      delete: [{ order: 1, line: 1 }],
    })
    expect(stateOf(patch, lines, '1,1')).toBe('removed')
    expect(stateOf(patch, lines, '1,2')).toBe('edited')
    expect(updateOf(patch, lines, '1,2')).toEqual({ quantity: 3 })
  })

  it('name a part of a key that is a reference by its key', () => {
    const patch = stageRemove(noChanges, lines, { order: { id: 1 }, line: 1 })
    expect(patch.delete).toEqual([{ order: 1, line: 1 }])
  })

  it('replace an earlier change of the same row', () => {
    const first = stageUpdate(noChanges, single, { id: 1 }, { rating: 3 }, false)
    expect(stageUpdate(first, single, { id: 1 }, { rating: 2 }, false).update).toEqual([{ id: 1, rating: 2 }])
    expect(stageUpdate(first, single, { id: 1 }, {}, false).update).toEqual([])
  })

  it('drop the change of a row that leaves', () => {
    const patch = stageRemove(stageUpdate(noChanges, single, { id: 1 }, { rating: 3 }, false), single, { id: 1 })
    expect(patch).toEqual({ create: [], update: [], delete: [1] })
  })

  it('bring a removed row back when it is added again', () => {
    const patch = stageLink(stageRemove(noChanges, single, { id: 1 }), single, { id: 1 })
    expect(patch).toEqual(noChanges)
  })

  it('add an existing row once, by its key alone', () => {
    const once = stageLink(noChanges, single, { id: 4, name: 'new' })
    expect(once.update).toEqual([{ id: 4 }])
    expect(stageLink(once, single, { id: 4 })).toBe(once)
    expect(stateOf(once, single, '4')).toBe('linked')
  })

  it('keep an added row when its changes are taken back', () => {
    const linked = stageLink(noChanges, single, { id: 4 })
    const edited = stageUpdate(linked, single, { id: 4 }, { name: 'x' }, true)
    expect(stageUpdate(edited, single, { id: 4 }, {}, true).update).toEqual([{ id: 4 }])
  })

  it('can be taken back one by one', () => {
    const patch = stageCreate(stageCreate(noChanges, { a: 1 }), { a: 2 })
    expect(unstageCreate(patch, 0).create).toEqual([{ a: 2 }])
    expect(unstageRemove(stageRemove(noChanges, single, { id: 'a,b' }), single, 'a%2Cb')).toEqual(noChanges)
  })
})
