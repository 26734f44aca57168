import { expect, test } from 'vitest'
import { addressesIn, newToken } from './new-accounts.ts'

test('addresses are found in lines and lists, each once', () => {
  expect(addressesIn('anna@x.example, Ben <ben@x.example>;\nANNA@x.example')).toEqual({
    addresses: ['ANNA@x.example', 'ben@x.example'],
    wrong: [],
  })
})

test('what looks like an address and is none is named', () => {
  expect(addressesIn('anna@x a@b.example').wrong).toEqual(['anna@x'])
})

test('a token is long and never the same', () => {
  expect(newToken()).toMatch(/^[\da-f]{64}$/u)
  expect(newToken()).not.toBe(newToken())
})
