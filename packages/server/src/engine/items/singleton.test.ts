import { describe, expect, test } from 'vitest'
import { collectionMeta, collectionOf, column, mirrorOf, table } from '../../testing/schema.ts'
import type { Query, Selection } from '../../query/query.ts'
import type { Collection } from '../../schema/schema.ts'
import { parseQuery } from '../../query/parse-query.ts'
import { isSingleton, selectedDefaults, takesWrite, type AddressedWrite } from './singleton.ts'

const columns = [
  column('id', 'int4', { isNullable: false }),
  column('title', 'varchar', { defaultExpression: "'Untitled'::character varying" }),
  column('note', 'text'),
]
const schema = mirrorOf([table('site', { id: 'int4' }, { columns }), table('notes', { id: 'int4' })], {
  collections: [collectionMeta('site', { singleton: true })],
})
const site = collectionOf(schema, 'site')
const notes = collectionOf(schema, 'notes')
const settings: Collection = { ...site, isSystem: true }

test('a collection is a singleton if its metadata says so', () => {
  expect([site, notes].map(isSingleton)).toEqual([true, false])
})

describe('writes that a collection takes', () => {
  const taken = (collection: Collection, hasKey: boolean) =>
    (['create', 'update', 'delete', 'upsert'] satisfies AddressedWrite[]).filter((write) =>
      takesWrite(write, collection, hasKey),
    )

  test.each([
    ['a list', notes, false, ['create', 'update', 'delete', 'upsert']],
    ['an item', notes, true, ['update', 'delete', 'upsert']],
    ['a singleton', site, false, ['update', 'delete', 'upsert']],
    ['a key of a singleton', site, true, ['delete', 'upsert']],
    ['a singleton of the service', settings, false, ['update']],
    ['a key of such a singleton', settings, true, []],
  ])('%s', (_, collection, hasKey, writes) => {
    expect(taken(collection, hasKey)).toEqual(writes)
  })
})

test('defaults by selection contain every selected name', () => {
  const limits = { depth: 10, jsonDepth: 10, listLength: 100, limitDefault: 100, limitMax: null }
  const select: Selection[] = [
    { kind: 'constant', text: 'Site', name: '__typename', as: 'type' },
    { kind: 'field', name: 'title', as: 'heading', query: null },
    { kind: 'field', name: 'note', as: 'note', query: null },
    { kind: 'field', name: 'id', as: 'id', query: null },
    { kind: 'nested', name: 'author', scope: null, as: 'author', query: null, children: [] },
  ]
  const query: Query = { ...parseQuery({}, limits).query, select }
  expect(selectedDefaults(site, query)).toBe('{"type":"Site","heading":"Untitled","note":null,"id":null,"author":null}')
})
