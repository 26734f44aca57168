import { describe, expect, test } from 'vitest'
import { parseFields, splitList } from './parse-fields.ts'
import type { Selection } from './query.ts'
import { collectValues } from './values.ts'

const noNames = { alias: {}, deep: {} }

function fields(wire: unknown, alias: Record<string, string> = {}, maxDepth = 10): Selection[] {
  return parseFields(wire, { ...noNames, alias }, { values: collectValues(), maxDepth, jsonDepth: 10 })
}

const field = (name: string, as = name) => ({ kind: 'field', name, as, query: null })
const all = (children: readonly unknown[] | null = null) => ({ kind: 'all', children, deep: {}, aliased: [] })
const nested = (name: string, children: readonly unknown[], scope: string | null = null, as = name) => ({
  kind: 'nested',
  name,
  scope,
  as,
  query: null,
  children,
})

describe('splitList', () => {
  test.each([
    ['a,b', ['a', 'b']],
    [
      ['a,b', 'c'],
      ['a', 'b', 'c'],
    ],
    [{ 1: 'b', 0: 'a' }, ['a', 'b']],
    [' a , b ', ['a', 'b']],
    ['json(a, b.c),d', ['json(a, b.c)', 'd']],
    [String.raw`a\,b,c`, [String.raw`a\,b`, 'c']],
    ['', []],
    [[], []],
    [7, ['7']],
  ])('%j', (wire, texts) => {
    expect(splitList(wire, 'fields')).toEqual(texts)
  })

  test('what is no text is refused', () => {
    expect(() => splitList([{ a: 1 }], 'fields')).toThrow('"fields" has to be text')
    expect(() => splitList([null], 'fields')).toThrow('"fields" has to be text')
  })
})

describe('parseFields', () => {
  test.each([[undefined], [''], [[]], ['*']])('%j means all fields', (wire) => {
    expect(fields(wire)).toEqual([all()])
  })

  test('paths with the same beginning share a node', () => {
    expect(fields('author.name,id,author.born')).toEqual([
      nested('author', [field('name'), field('born')]),
      field('id'),
    ])
  })

  test('a path below a field wins over the field alone', () => {
    expect(fields('author,author.name')).toEqual([nested('author', [field('name')])])
  })

  test('wildcards follow relations to the depth of their stars', () => {
    expect(fields('*.*')).toEqual([all([all()])])
    expect(fields('author.*')).toEqual([nested('author', [all()])])
  })

  test('a scope names one of several collections, and selects all of its fields when nothing follows', () => {
    expect(fields('item:heroes.headline')).toEqual([nested('item', [field('headline')], 'heroes')])
    expect(fields('item:heroes')).toEqual([nested('item', [all()], 'heroes')])
  })

  test('the path may stand inside or outside a function', () => {
    const year = { kind: 'function', fn: 'year', name: 'born', path: null, as: 'born_year' }
    expect(fields('author.year(born)')).toEqual([nested('author', [year])])
    expect(fields('year(author.born)')).toEqual([nested('author', [year])])
  })

  test('a path into JSON is a value, its key is made of the arguments', () => {
    expect(fields('json(details, a.b[0])')).toEqual([
      { kind: 'function', fn: 'json', name: 'details', path: 0, as: 'details_a_b_0_json' },
    ])
  })

  test('an alias stands for a field, a relation or a function', () => {
    const alias = { writer: 'author', y: 'year(published)', odd: String.raw`a\.b` }
    expect(fields('writer.name,writer,y,odd', alias)).toEqual([
      nested('author', [field('name')], null, 'writer'),
      { kind: 'function', fn: 'year', name: 'published', path: null, as: 'y' },
      field('a.b', 'odd'),
    ])
  })

  test('aliases belong to the wildcard', () => {
    expect(fields('*', { writer: 'author' })).toEqual([{ ...all(), aliased: [field('author', 'writer')] }])
  })

  test('names that objects inherit are names, not what they inherit', () => {
    expect(fields('__proto__,constructor.toString')).toEqual([
      field('__proto__'),
      nested('constructor', [field('toString')]),
    ])
  })

  test('the depth of a path is limited, functions and wildcards included', () => {
    expect(fields('a.b.c', {}, 3)).toHaveLength(1)
    for (const path of ['a.b.c.d', '*.*.*.*', 'year(a.b.c.d)', 'a.b.c.year(d)'])
      expect(() => fields(path, {}, 3)).toThrow('Max relational depth exceeded')
  })

  test('nothing can follow a function', () => {
    expect(() => fields('year(born).x')).toThrow('"year(born).x" goes on after a function')
  })

  test('an alias does not follow a relation', () => {
    expect(() => fields('y', { y: 'year(author.born)' })).toThrow('An alias cannot follow a relation')
  })
})
