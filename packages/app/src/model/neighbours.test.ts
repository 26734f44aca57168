import { expect, it } from 'vitest'
import { neighboursOf } from './neighbours.ts'

it.each([
  ['["1","2","3"]', '2', { previous: '1', next: '3' }],
  ['["1","2","3"]', '1', { previous: null, next: '2' }],
  ['["1,1","1,2"]', '1,2', { previous: '1,1', next: null }],
  ['["1"]', '9', { previous: null, next: null }],
  ['{', '1', { previous: null, next: null }],
  [null, '1', { previous: null, next: null }],
])('in %s, %s has the neighbours %j', (text, key, expected) => {
  expect(neighboursOf(text, key)).toEqual(expected)
})
