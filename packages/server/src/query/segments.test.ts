import { describe, expect, test } from 'vitest'
import { parseJsonPath, parsePath } from './segments.ts'

const named = (name: string, scope: string | null = null) => ({ isAll: false, name, scope, call: null })

describe('parsePath', () => {
  test('a path is its names', () => {
    expect(parsePath('author.name')).toEqual([named('author'), named('name')])
    expect(parsePath('blocks.item:heroes.headline')).toEqual([
      named('blocks'),
      named('item', 'heroes'),
      named('headline'),
    ])
  })

  test('every character of a name can be escaped', () => {
    expect(parsePath(String.raw`a\.b\:c\(d\)\,\ \-\\`)).toEqual([named(String.raw`a.b:c(d), -\ `.trim())])
  })

  test('a star is a wildcard unless it is escaped', () => {
    expect(parsePath('*')).toEqual([{ ...named('*'), isAll: true }])
    expect(parsePath(String.raw`\*`)).toEqual([named('*')])
  })

  test('names that objects inherit are ordinary names', () => {
    expect(parsePath('__proto__.constructor')).toEqual([named('__proto__'), named('constructor')])
  })

  test('a function holds its path', () => {
    expect(parsePath('author.year(born)')).toEqual([
      named('author'),
      { isAll: false, name: '', scope: null, call: { fn: 'year', path: [named('born')], argument: null } },
    ])
    expect(parsePath('json(meta, a.b[0])')[0]?.call).toEqual({
      fn: 'json',
      path: [named('meta')],
      argument: 'a.b[0]',
    })
  })

  test.each([
    ['', 'A path has an empty segment'],
    ['a..b', 'A path has an empty segment'],
    ['a:b:c', '"a:b:c" has more than one scope'],
    ['year(born', '"year(born" misses its closing parenthesis'],
    ['nope(born)', 'There is no function "nope"'],
    ['constructor(born)', 'There is no function "constructor"'],
    ['year(month(born))', 'A function cannot stand inside another'],
    ['year(author.month(born))', 'A function cannot stand inside another'],
    ['year(a,b)', 'year() takes one field'],
    ['json(a)', 'json() takes a field and a path'],
    ['json(a,b,c)', 'json() takes a field and a path'],
    ['year()', 'A path has an empty segment'],
    ['year(born:x)', 'year() takes a field without a scope'],
  ])('%j is refused: %s', (text, reason) => {
    expect(() => parsePath(text)).toThrow(reason)
  })

  test('functions inside functions without end are refused, not followed', () => {
    expect(() => parsePath(`${'year('.repeat(100_000)}${')'.repeat(100_000)}`)).toThrow('cannot stand inside another')
  })
})

describe('parseJsonPath', () => {
  test.each([
    ['a', ['a']],
    ['a.b[0].c', ['a', 'b', '0', 'c']],
    ['[2][3]', ['2', '3']],
    ['größe.日本.😀.with-dash_1', ['größe', '日本', '😀', 'with-dash_1']],
    ['__proto__.constructor', ['__proto__', 'constructor']],
  ])('%s', (text, keys) => {
    expect(parseJsonPath(text, 10)).toEqual(keys)
  })

  test.each(['*', 'a.*', 'a..b', 'a[', 'a[-1]', 'a[]', '$.a', 'a?', 'a@b', '#', 'a b', "a'b", 'a.', '['])(
    '%j is no path',
    (text) => {
      expect(() => parseJsonPath(text, 10)).toThrow('is no path into a JSON value')
    },
  )

  test('it must not be empty, nor deeper than allowed', () => {
    expect(() => parseJsonPath('', 10)).toThrow('must not be empty')
    expect(parseJsonPath('a.b.c', 3)).toHaveLength(3)
    expect(() => parseJsonPath('a.b.c.d', 3)).toThrow('at most 3 steps')
  })
})
