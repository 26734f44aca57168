import { describe, expect, test } from 'vitest'
import { keyFromText } from '../query/keys.ts'
import { keyFromUrl } from './key.ts'

describe('a key in an address', () => {
  test.each([
    ['/items/articles/1', ['1']],
    ['/items/articles/1?fields=a/b,c', ['1']],
    ['/items/order_lines/1001,2', ['1001', '2']],
    ['/items/labels/en,a%2Cb', ['en', 'a,b']],
    ['/items/labels/de,x%2Fy', ['de', 'x/y']],
    ['/items/labels/,', ['', '']],
    ['/items/words/gr%C3%B6%C3%9Fe%25+', ['größe%+']],
  ])('%s', (url, parts) => {
    expect(keyFromUrl(url)).toEqual(parts)
  })

  test('one that cannot be decoded is the key of nothing', () => {
    expect(() => keyFromText('%zz')).toThrow("You don't have permission to access this.")
  })
})
