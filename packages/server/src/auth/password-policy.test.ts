import { expect, test } from 'vitest'
import { isPassword } from './password-policy.ts'

test('without a policy anything but nothing is a password, up to a length', () => {
  expect([isPassword('x', null), isPassword('x', ''), isPassword('', null)]).toEqual([true, true, false])
  expect([isPassword('x'.repeat(1024), null), isPassword('x'.repeat(1025), null)]).toEqual([true, false])
})

test('a policy may stand between slashes, with flags', () => {
  for (const policy of ['^[a-z]{4,}$', '/^[a-z]{4,}$/', '/^[A-Z]{4,}$/i'])
    expect([policy, isPassword('abcd', policy), isPassword('abc', policy)]).toEqual([policy, true, false])
  expect(isPassword('abcd', '/(/')).toBe(false)
})
