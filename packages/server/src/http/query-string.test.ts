import { ServiceError } from '@tain/contract'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseQuery, type QueryLimits } from '../query/parse-query.ts'
import { parseQueryString } from './query-string.ts'

type Tree = string | readonly Tree[] | { readonly [name: string]: Tree }

const limits = { parameters: 1000, depth: 20 }
const parse = (text: string) => parseQueryString(text, limits)

/** An object without a prototype, so that every name is an own property. */
function objectOf(entries: Iterable<readonly [string, Tree]>): { readonly [name: string]: Tree } {
  const object = Object.create(null) as Record<string, Tree>
  for (const [name, value] of entries) object[name] = value
  return object
}

/** Prints a tree in brackets. A list of texts is written with `[]`, any other list with indexes. */
function bracketsOf(tree: Tree, prefix = ''): string[] {
  if (typeof tree === 'string') return [`${prefix}=${encodeURIComponent(tree)}`]
  if (Array.isArray(tree)) {
    const list = tree as readonly Tree[]
    const isPlain = list.every((entry) => typeof entry === 'string')
    return list.flatMap((entry, index) => bracketsOf(entry, `${prefix}[${isPlain ? '' : index}]`))
  }
  return Object.entries(tree).flatMap(([name, value]) => {
    const encoded = encodeURIComponent(name)
    return bracketsOf(value, prefix === '' ? encoded : `${prefix}[${encoded}]`)
  })
}

const name = fc.oneof(
  fc.constantFrom(
    'title',
    'author',
    '__proto__',
    'constructor',
    'toString',
    'größe',
    'a b',
    'x&y=z',
    'a+b',
    '%41',
    '7',
  ),
  fc.string({ minLength: 1, maxLength: 6, unit: 'grapheme' }).filter((text) => !/[[\]]|^\s*$/u.test(text)),
)

describe('bracket forms', () => {
  const { tree } = fc.letrec<{ tree: Tree; object: Tree }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.string({ maxLength: 6 }),
      fc.array(fc.string({ maxLength: 6 }), { minLength: 1, maxLength: 3 }),
      tie('object'),
    ),
    object: fc.array(fc.tuple(name, tie('tree')), { minLength: 1, maxLength: 3 }).map(objectOf),
  }))
  const root = fc.array(fc.tuple(name, tree), { maxLength: 4 }).map(objectOf)

  test('what is printed is read again', () => {
    const isRead = fc.property(
      root,
      (wire) => JSON.stringify(parse(bracketsOf(wire).join('&'))) === JSON.stringify(wire),
    )
    expect(fc.check(isRead).counterexample).toBeNull()
  })

  test.each([
    ['', {}],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['&&a=1&', { a: '1' }],
    ['a=1=2', { a: '1=2' }],
    ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
    ['a[]=1', { a: ['1'] }],
    ['a[b][]=1&a[b][]=2', { a: { b: ['1', '2'] } }],
    ['a[][b]=1&a[][b]=2', { a: [{ b: '1' }, { b: '2' }] }],
    ['a[0]=x&a[1]=y', { a: { 0: 'x', 1: 'y' } }],
    ['a%5Bb%5D=x+y%2Bz', { a: { b: 'x y+z' } }],
    ['[a]=1', { '[a]': '1' }],
    ['a[b=1', { 'a[b': '1' }],
    ['filter={"a":1}', { filter: '{"a":1}' }],
  ])('%j', (text, wire) => {
    expect(JSON.parse(JSON.stringify(parse(text)))).toEqual(wire)
  })

  test('names that objects inherit are plain names and change nothing else', () => {
    const wire = parse('__proto__[polluted]=1&constructor[prototype][polluted]=1&a[__proto__][b]=2')
    expect(Object.keys(wire)).toEqual(['__proto__', 'constructor', 'a'])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(Object.getPrototypeOf(wire['a'])).toBeNull()
    expect(JSON.stringify(wire['a'])).toBe('{"__proto__":{"b":"2"}}')
  })
})

describe('refusals', () => {
  test.each(['a=%', 'a=%zz', '%E0%A4=1', 'a=%ff'])('a broken percent-encoding: %s', (text) => {
    expect(() => parse(text)).toThrow('The address has a broken percent-encoding')
  })

  test.each(['a=1&a[b]=2', 'a[b]=1&a=2', 'a[]=1&a[b]=2', 'a[b]=1&a[b][c]=2'])(
    '%s says one thing in two ways',
    (text) => {
      expect(() => parse(text)).toThrow('is given in two ways')
    },
  )

  test('more parameters or levels than allowed', () => {
    const few = { parameters: 3, depth: 3 }
    expect(() => parseQueryString('a=1&b=2&c=3', few)).not.toThrow()
    expect(() => parseQueryString('a=1&b=2&c=3&d=4', few)).toThrow('more than 3 parameters; use SEARCH')
    expect(() => parseQueryString('a[b][c]=1', few)).not.toThrow()
    expect(() => parseQueryString('a[b][c][d]=1', few)).toThrow('deeper than 3 levels')
  })
})

describe('an address and a body say the same', () => {
  const queryLimits: QueryLimits = { depth: 10, jsonDepth: 10, listLength: 100, limitDefault: 100, limitMax: null }
  /** The parsed query with its values, or the message of the refusal. */
  const irOf = (wire: Record<string, unknown>) => {
    try {
      return JSON.stringify(parseQuery(wire, queryLimits))
    } catch (error) {
      if (error instanceof ServiceError) return error.message
      throw error
    }
  }

  const value = fc.oneof(
    fc.constantFrom('1', 'true', 'false', 'x', 'a,b', ' x ', '$NOW', '100%', 'ü&=+[]'),
    fc
      .string({ minLength: 1, maxLength: 5 })
      .filter((text) => !['null', 'NULL'].includes(text) && !text.includes('\u0000')),
  )
  const several = fc.array(value, { minLength: 1, maxLength: 3 })
  const condition: fc.Arbitrary<Tree> = fc.oneof(
    value,
    fc.tuple(fc.constantFrom('_eq', '_lt', '_contains', '_neq'), value).map((entry) => objectOf([entry])),
    fc.tuple(fc.constantFrom('_in', '_nin'), several).map((entry) => objectOf([entry])),
    fc.tuple(value, value).map((pair) => objectOf([['_between', pair]])),
    fc.constantFrom('true', 'false', '').map((flag) => objectOf([['_null', flag]])),
  )
  const fieldName = name.filter((text) => !/^[_$]|[():]/u.test(text) || text === '__proto__')
  const filter: fc.Arbitrary<Tree> = fc.letrec<{ filter: Tree }>((tie) => ({
    filter: fc.oneof(
      { depthSize: 'small' },
      fc.tuple(fieldName, condition).map((entry) => objectOf([entry])),
      fc.tuple(fieldName, tie('filter')).map((entry) => objectOf([entry])),
      fc
        .tuple(fieldName, fc.constantFrom('_some', '_none'), tie('filter'))
        .map(([field, quantifier, inner]) => objectOf([[field, objectOf([[quantifier, inner]])]])),
      fc
        .tuple(fc.constantFrom('_and', '_or'), fc.array(tie('filter'), { minLength: 1, maxLength: 2 }))
        .map((entry) => objectOf([entry])),
    ),
  })).filter

  const escaped = fieldName.map((text) => text.replaceAll(/[.,:()\\*\s-]/gu, String.raw`\$&`))
  const path = fc.array(escaped, { minLength: 1, maxLength: 3 }).map((names) => names.join('.'))
  const paths = fc.array(path, { minLength: 1, maxLength: 3 })
  const number = fc.integer({ min: 0, max: 50 }).map(String)
  const nested = fc.record({ _filter: filter, _sort: paths, _limit: number }, { requiredKeys: ['_limit'] })
  const optional = {
    fields: paths,
    filter,
    sort: paths,
    limit: number,
    offset: number,
    search: value,
    groupBy: paths,
    aggregate: fc.record({
      count: fc.constantFrom('*', ['*']),
      sum: fc.array(escaped, { minLength: 1, maxLength: 2 }),
    }),
    alias: fc
      .array(
        fc.tuple(
          fieldName.filter((text) => !text.includes('.')),
          escaped,
        ),
        { minLength: 1 },
      )
      .map(objectOf),
    deep: fc.array(fc.tuple(fieldName, nested), { minLength: 1, maxLength: 2 }).map(objectOf),
    meta: fc.constantFrom('*', ['total_count', 'filter_count']),
    backlink: fc.constantFrom('true', 'false'),
  }
  const wire = fc.record(optional, { requiredKeys: [] }) as fc.Arbitrary<Record<string, Tree>>

  test('brackets, JSON inside the address, and a body give one tree and the same values', () => {
    const inJson = (query: Readonly<Record<string, Tree>>) =>
      Object.entries(query).flatMap(([key, tree]) =>
        typeof tree === 'string' || Array.isArray(tree)
          ? bracketsOf(objectOf([[key, tree]]))
          : [`${key}=${encodeURIComponent(JSON.stringify(tree))}`],
      )
    const isSame = fc.property(wire, (query) =>
      [bracketsOf(query), inJson(query)].every((pairs) => irOf(parse(pairs.join('&'))) === irOf(query)),
    )
    expect(fc.check(isSame).counterexample).toBeNull()
  })
})
