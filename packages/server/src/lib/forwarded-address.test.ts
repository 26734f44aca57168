import { expect, test } from 'vitest'
import { cookieValue } from './cookie-value.ts'
import { forwardedAddress, trustIn } from './forwarded-address.ts'

test.each([
  [false, '10.0.0.1', '1.1.1.1', '10.0.0.1'],
  [true, '10.0.0.1', '1.1.1.1, 2.2.2.2', '1.1.1.1'],
  [true, '::ffff:10.0.0.1', undefined, '10.0.0.1'],
  [1, '10.0.0.1', '1.1.1.1, 2.2.2.2', '2.2.2.2'],
  [2, '10.0.0.1', '1.1.1.1, 2.2.2.2', '1.1.1.1'],
  [['10.0.0.0/8'], '10.0.0.1', '1.1.1.1, 10.0.0.9', '1.1.1.1'],
  [['10.0.0.0/8'], '11.0.0.1', '1.1.1.1', '11.0.0.1'],
  [['loopback', '2001:db8::1'], '::1', '1.1.1.1, 2001:db8::1', '1.1.1.1'],
] as const)('with %j, a connection of %s that reports %s is of %s', (trusted, connected, forwarded, address) => {
  expect(forwardedAddress(connected, forwarded, trustIn(trusted))).toBe(address)
})

test('the value of a cookie is found by its whole name', () => {
  const header = 'other_session=x; session=a%20b; empty=; broken=%zz; quoted="q"'
  expect(['session', 'empty', 'broken', 'quoted', 'none'].map((name) => cookieValue(header, name))).toEqual([
    'a b',
    null,
    '%zz',
    'q',
    null,
  ])
  expect(cookieValue(undefined, 'session')).toBe(null)
})
