import { expect, test } from 'vitest'
import { documentKey, documentOfKey, jsonAt, numberAt, textAt } from './documents.ts'

const path = (...keys: string[]) => JSON.stringify(keys)

test('paths lead into objects and lists', () => {
  const document = '{"a": [1, {"b": "text"}], "0": 12345678901234567890, "n": null}'
  expect(jsonAt(document, path('a', '1', 'b'))).toBe('"text"')
  expect(textAt(document, path('a', '-1', 'b'))).toBe('text')
  expect(numberAt(document, path('0'))).toBe('12345678901234567890')
  expect(jsonAt(document, path('n'))).toBe('null')
  expect(textAt(document, path('n'))).toBeNull()
  expect(jsonAt(document, path('a', 'x'))).toBeNull()
  expect(jsonAt('no json', path('a'))).toBeNull()
  expect(jsonAt(document, path('constructor'))).toBeNull()
})

test('keys sort as PostgreSQL sorts documents, and give the document back', () => {
  const ascending = [
    '"a"',
    '"b"',
    '-5',
    '2',
    '10',
    'false',
    'true',
    '[]',
    '[1]',
    '[1,2]',
    '{"a":1}',
    '{"b":1}',
    '{"a":1,"b":2}',
  ]
  const keys = ascending.map((text) => documentKey(text) ?? '')
  expect(keys.toSorted()).toEqual(keys)
  expect(keys.map(documentOfKey)).toEqual(ascending)
  expect(documentKey(keys[3] ?? '')).toBe(keys[3])
  expect(documentKey('null')).toBeNull()
})
