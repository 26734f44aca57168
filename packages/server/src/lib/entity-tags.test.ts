import { expect, test } from 'vitest'
import { hasTag } from './entity-tags.ts'

test.each([
  ['"abc"', '"abc"', true],
  ['W/"abc"', '"abc"', true],
  ['"abc"', 'W/"abc"', true],
  ['"x", W/"abc"', '"abc"', true],
  ['*', '"abc"', true],
  ['"x", *', '"abc"', true],
  ['"a,b"', '"a,b"', true],
  ['"a,b"', '"a"', false],
  ['"*"', '"abc"', false],
  ['abc', '"abc"', false],
  ['', '"abc"', false],
])('%s and %s: %s', (list, tag, isThere) => expect(hasTag(list, tag)).toBe(isThere))
