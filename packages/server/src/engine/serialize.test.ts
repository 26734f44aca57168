import { describe, expect, test } from 'vitest'
import { compileRow, type Cell } from './serialize.ts'

const cell = (keys: readonly string[], index: number, write: Cell['write'] = JSON.stringify): Cell => ({
  keys,
  index,
  write,
  below: null,
})

describe('a row of text becomes JSON text', () => {
  test('keys in order, each value by its own writer', () => {
    const write = compileRow([cell(['id'], 1, String), cell(['title'], 2), cell(['tags'], 3, String)])
    expect(write(['9', '7', 'A "quote"', '[1, 2]'])).toBe(String.raw`{"id":7,"title":"A \"quote\"","tags":[1, 2]}`)
  })

  test('null, and a value that is not there, are null whatever the writer', () => {
    const write = compileRow([cell(['a'], 1), cell(['b'], 5)])
    expect(write(['9', null])).toBe('{"a":null,"b":null}')
  })

  test('keys are escaped', () => {
    const write = compileRow([cell(['a"b\n'], 0), cell(['__proto__'], 1), cell(['größe 😀'], 2)])
    const text = write(['1', '2', '3'])
    expect(text).toBe(String.raw`{"a\"b\n":"1","__proto__":"2","größe 😀":"3"}`)
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['a"b\n', '__proto__', 'größe 😀'])
  })

  test('values with a common first key share an object, wherever they stand', () => {
    const write = compileRow([
      cell(['author', 'country'], 0),
      cell(['count'], 1),
      cell(['sum', 'views'], 2),
      cell(['author', 'born', 'year'], 3),
      cell(['sum', 'price'], 4),
    ])
    expect(JSON.parse(write(['GB', '2', '3', '4', '5']))).toEqual({
      author: { country: 'GB', born: { year: '4' } },
      count: '2',
      sum: { views: '3', price: '5' },
    })
  })

  test('no cells are an empty object', () => {
    expect(compileRow([])(['1'])).toBe('{}')
  })
})
