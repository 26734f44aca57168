import { ServiceError } from '@tain/contract'
import { describe, expect, test } from 'vitest'
import { collectionMeta, collectionOf, mirrorOf, table } from '../../testing/schema.ts'
import { queryKeyOf } from '../../query/keyed-query.ts'
import { parseQuery } from '../../query/parse-query.ts'
import { queryTarget, readAll } from './write-target.ts'

const limits = { depth: 10, jsonDepth: 10, listLength: 100, limitDefault: 100, limitMax: 500 }
const schema = mirrorOf([table('site', { id: 'int4' }), table('notes', { id: 'int4' })], {
  collections: [collectionMeta('site', { singleton: true })],
})

/** `query`, or the code of the refusal. */
function outcome(wire: Record<string, unknown>, isAll = false, collection = 'notes'): string {
  const { query, values } = parseQuery(wire, limits)
  try {
    return queryTarget({ query, queryKey: queryKeyOf(query), values }, isAll, collectionOf(schema, collection)).kind
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
}

const conditions = [
  { filter: { id: 1 } },
  { filter: { id: { _nnull: true } } },
  { filter: { _or: [] } },
  { search: 'x' },
]
const others = [
  {},
  { filter: {} },
  { filter: { _and: [{}, {}] } },
  { filter: { _or: [{ id: 1 }, {}] } },
  { limit: 1, sort: 'id' },
  { search: ' ' },
]

describe('a write by query', () => {
  test('needs a condition', () => {
    expect(conditions.map((query) => outcome(query))).toEqual(conditions.map(() => 'query'))
    expect(others.map((query) => outcome(query))).toEqual(others.map(() => 'INVALID_QUERY'))
    expect(others.map((query) => outcome(query, false, 'site'))).toEqual(others.map(() => 'query'))
  })

  test('reaches every item with "all", which stands alone', () => {
    expect(others.map((query) => outcome(query, true))).toEqual(others.map(() => 'query'))
    expect(conditions.map((query) => outcome(query, true))).toEqual(conditions.map(() => 'INVALID_PAYLOAD'))
  })

  test('takes "all" only as true', () => {
    expect([readAll(undefined), readAll(true)]).toEqual([false, true])
    for (const all of [false, null, 1, 'true']) expect(() => readAll(all)).toThrow('"all" has to be true')
  })
})
