import { expect, it } from 'vitest'
import { differences } from './revision.ts'

it('versions differ in the fields that both know', () => {
  expect(differences({ a: 1, b: '2', gone: 3, same: [1] }, { a: 2, b: '2', added: 4, same: [1] })).toEqual([
    { field: 'a', left: 1, right: 2 },
  ])
})
