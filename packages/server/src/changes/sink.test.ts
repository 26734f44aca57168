import { describe, expect, test } from 'vitest'
import type { Collection } from '../schema/schema.ts'
import type { InsertRecord } from '../sql/bulk.ts'
import type { Transaction } from '../sql/driver.ts'
import type { Cause, Change, ChangedRow } from './change.ts'
import { createChangeSink, type ChangeConsumer, type Wanted } from './sink.ts'

const collectionOf = (name: string) => ({ name }) as Collection
const posts = collectionOf('posts')
const tags = collectionOf('tags')
const row = (collection: Collection, key: string): ChangedRow => ({
  collection,
  key: [key],
  action: 'update',
  before: null,
  after: null,
  delta: '{}',
})
const cause: Cause = { by: 'u1', origin: { ip: null, userAgent: null } }
const transaction = (): Transaction => ({}) as Transaction

/** Collects the changes of the collections that it wants. */
function collector(wanted: ReadonlyMap<Collection, Wanted>, inStatement: ChangeConsumer['inStatement'] = () => null) {
  const calls: (readonly Change[])[] = []
  const consumer: ChangeConsumer = {
    wants: (collection) => wanted.get(collection) ?? null,
    consume: async (changes) => void calls.push(changes),
    inStatement,
  }
  return { consumer, calls }
}

const after: Wanted = { before: false, after: true }
const before: Wanted = { before: true, after: false }
const record: InsertRecord = { collection: 'posts', key: [], row: null, records: ['activity'] }

describe('the sink of changes', () => {
  test('gives each consumer the changes of the collections it wants, with user and position', async () => {
    const first = collector(new Map([[posts, after]]))
    const second = collector(
      new Map([
        [posts, after],
        [tags, before],
      ]),
    )
    const sink = createChangeSink([first.consumer, second.consumer])
    await sink.report([row(tags, '1'), row(posts, '2')], cause, transaction())
    const short = (changes: readonly Change[]) =>
      changes.map(({ collection, actor, position }) => [collection.name, actor, position])
    expect(first.calls.map(short)).toEqual([[['posts', 'u1', 1]]])
    expect(second.calls.map(short)).toEqual([
      [
        ['tags', 'u1', 0],
        ['posts', 'u1', 1],
      ],
    ])
  })

  test('counts positions through all reports of a transaction', async () => {
    const { consumer, calls } = collector(new Map([[posts, after]]))
    const sink = createChangeSink([consumer])
    const [one, other] = [transaction(), transaction()]
    await sink.report([row(tags, '1'), row(posts, '2')], cause, one)
    await sink.report([row(posts, '3')], cause, other)
    await sink.report([row(posts, '4')], cause, one)
    expect(calls.flat().map(({ key, position }) => [key[0], position])).toEqual([
      ['2', 1],
      ['3', 0],
      ['4', 2],
    ])
  })

  test('asks for rows only if a consumer wants them', () => {
    const one = collector(new Map([[posts, after]]))
    const two = collector(new Map([[posts, before]]))
    expect(createChangeSink([one.consumer, two.consumer]).wants(posts)).toEqual({ before: true, after: true })
    expect(createChangeSink([one.consumer]).wants(posts)).toEqual(after)
    expect(createChangeSink([one.consumer]).wants(tags)).toEqual({ before: false, after: false })
    expect(createChangeSink([]).wants(posts)).toEqual({ before: false, after: false })
  })

  test('calls no consumer without changes that it wants', async () => {
    const { consumer, calls } = collector(new Map([[posts, after]]))
    await createChangeSink([consumer]).report([row(tags, '1')], cause, transaction())
    expect(calls).toEqual([])
  })

  test('fails with the consumer, so that the transaction rolls back', async () => {
    const { consumer } = collector(new Map([[posts, after]]))
    const failing = { ...consumer, consume: () => Promise.reject(new Error('full')) }
    await expect(createChangeSink([failing]).report([row(posts, '1')], cause, transaction())).rejects.toThrow('full')
  })

  test('lets a create be a single statement only if every consumer can record in it', () => {
    const able = collector(new Map([[posts, after]]), () => record)
    const unable = collector(new Map([[posts, after]]))
    const elsewhere = collector(new Map([[tags, after]]))
    expect(createChangeSink([]).inStatement(posts)).toBeNull()
    expect(createChangeSink([able.consumer, elsewhere.consumer]).inStatement(posts)).toBe(record)
    expect(createChangeSink([unable.consumer]).inStatement(posts)).toBe('transaction')
    expect(createChangeSink([able.consumer, unable.consumer]).inStatement(posts)).toBe('transaction')
  })
})
