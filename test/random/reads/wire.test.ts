import { expect, it } from 'vitest'
import type { Filter, Query } from './ast.ts'
import { library } from '../database/fixture.ts'
import { escapeName, toBrackets, toJsonParameters, toWire } from './wire.ts'

const test = (name: string, op: '_gt' | '_lt' | '_eq', operand: number): Filter => ({
  kind: 'test',
  subject: { name },
  op,
  operands: [operand],
  other: false,
})

const wire = (query: Query): unknown => JSON.parse(JSON.stringify(toWire(library, query)))

it('escapes what means something in a path', () => {
  expect(escapeName('a.b, c:(d)-\\')).toBe('a\\.b\\,\\ c\\:\\(d\\)\\-\\\\')
})

it('spells fields, aliases and nested shapes', () => {
  const query: Query = {
    collection: 'articles',
    fields: [
      { kind: 'star' },
      { kind: 'field', subject: { name: 'at', fn: 'year' }, as: 'when' },
      {
        kind: 'relation',
        field: 'comments',
        as: 'talk',
        bareToo: true,
        deep: { limit: 2, sort: [{ path: ['parent'], subject: { name: 'likes' }, desc: true }] },
        fields: [{ kind: 'field', subject: { name: 'note' }, as: 'text' }],
      },
    ],
  }
  expect(wire(query)).toEqual({
    fields: ['*', 'when', 'talk', 'talk.text'],
    alias: { when: 'year(at)', talk: 'comments' },
    deep: { talk: { _alias: { text: 'note' }, _limit: 2, _sort: ['-parent.likes'] } },
  })
})

it('merges conditions into one object only where none is lost', () => {
  const both = (...items: Filter[]): unknown =>
    wire({ collection: 'comments', filter: { kind: 'and', items, flat: true } })
  expect(both(test('likes', '_gt', 1), test('likes', '_lt', 5))).toEqual({ filter: { likes: { _gt: 1, _lt: 5 } } })
  expect(both(test('likes', '_gt', 1), test('likes', '_gt', 2))).toEqual({
    filter: { _and: [{ likes: { _gt: 1 } }, { likes: { _gt: 2 } }] },
  })
  const child = (filter: Filter): Filter => ({ kind: 'some', field: 'comments', filter, flat: true })
  expect(both(child(test('id', '_gt', 1)), child(test('likes', '_lt', 2)))).toEqual({
    filter: { _and: [{ comments: { id: { _gt: 1 } } }, { comments: { likes: { _lt: 2 } } }] },
  })
})

it('spells the same query for an address in two ways', () => {
  const query = { fields: ['a', 'b c'], filter: { a: { _in: [1, 'x,y'] } }, limit: 2 }
  expect(toJsonParameters(query)).toBe(
    'fields=a%2Cb%20c&filter=%7B%22a%22%3A%7B%22_in%22%3A%5B1%2C%22x%2Cy%22%5D%7D%7D&limit=2',
  )
  expect(toBrackets(query)).toBe('fields[0]=a&fields[1]=b%20c&filter[a][_in][0]=1&filter[a][_in][1]=x%2Cy&limit=2')
  expect(toBrackets({ filter: { a: { _in: [] } } })).toBe(null)
  expect(toBrackets({ filter: { 'a[b]': { _eq: 1 } } })).toBe(null)
})
