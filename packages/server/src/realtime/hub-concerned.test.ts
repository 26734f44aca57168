import { describe, expect, test } from 'vitest'
import { mirrorOf, table } from '../testing/schema.ts'
import type { LoggedChange } from '../events/logged-change.ts'
import { createConcerned } from './hub-concerned.ts'
import type { Group } from './hub-model.ts'

const schema = mirrorOf([table('notes', { id: 'int4', owner: 'uuid', score: 'int4' })])
const collection = schema.collections.get('notes')

const group = (name: string, more: Partial<Group> = {}): Group =>
  ({ name, item: null, collection: 'notes', fixedValue: null, view: { collection }, ...more }) as Group

const owned = (name: string, ...owners: string[]) =>
  group(name, { fixedValue: { field: 'owner', values: new Set(owners) } })

const change = (kind: LoggedChange['kind'], before: object | null, after: object | null, key = '1'): LoggedChange => ({
  position: 1,
  write: 'w',
  collection: 'notes',
  key,
  kind,
  before: before && JSON.stringify(before),
  after: after && JSON.stringify(after),
  user: null,
  at: '',
})

describe('the groups that a change can concern', () => {
  const groups = [group('all'), owned('a', 'aa'), owned('b', 'bb', 'cc'), group('item', { item: '7' })]
  const { add, remove, concerned } = createConcerned()
  groups.forEach(add)
  const names = (each: LoggedChange) => [...concerned(each)].map(({ name }) => name)

  test('are those of the value before and of the value after', () => {
    expect(names(change('create', null, { owner: 'AA' }))).toEqual(['all', 'a'])
    expect(names(change('update', { owner: 'aa' }, { owner: 'cc' }))).toEqual(['all', 'a', 'b'])
    expect(names(change('delete', { owner: 'bb' }, null))).toEqual(['all', 'b'])
    expect(names(change('update', { owner: null }, { owner: 'dd' }))).toEqual(['all'])
  })

  test('are all of them where an image is unknown or not whole', () => {
    expect(names(change('delete', null, null))).toEqual(['all', 'a', 'b'])
    expect(names(change('update', { owner: 'aa' }, null))).toEqual(['all', 'a', 'b'])
    expect(names(change('update', { id: 1 }, { owner: 'aa' }))).toEqual(['all', 'a', 'b'])
    expect(names(change('create', null, { owner: 5 }))).toEqual(['all', 'a', 'b'])
  })

  test('are those of an item only for its key', () => {
    expect(names(change('create', null, { owner: null }, '7'))).toEqual(['all', 'item'])
  })

  test('are not those that are gone', () => {
    const [, a] = groups
    if (a !== undefined) remove(a)
    expect(names(change('create', null, { owner: 'aa' }))).toEqual(['all'])
  })

  test('are found among ten thousand at once', () => {
    const many = createConcerned()
    for (let user = 0; user < 10_000; user += 1) many.add(owned(`u${user}`, `user-${user}`))
    expect([...many.concerned(change('create', null, { owner: 'user-77' }))].map(({ name }) => name)).toEqual(['u77'])
  })
})
