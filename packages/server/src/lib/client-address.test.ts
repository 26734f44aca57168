import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createClientAddress, type ProxySettings } from './client-address.ts'

const addressOf = (settings: Partial<ProxySettings>, connected: string | undefined, headers = {}) =>
  createClientAddress({ trustProxy: false, addressHeader: null, ...settings })({
    headers,
    socket: Object.defineProperty(new Socket(), 'remoteAddress', { value: connected }),
  })

test.each([
  [false, '10.0.0.1', '1.1.1.1', '10.0.0.1'],
  [true, '10.0.0.1', '1.1.1.1, 2.2.2.2', '1.1.1.1'],
  [true, '::ffff:10.0.0.1', undefined, '10.0.0.1'],
  [1, '10.0.0.1', '1.1.1.1, 2.2.2.2', '2.2.2.2'],
  [2, '10.0.0.1', '1.1.1.1, 2.2.2.2', '1.1.1.1'],
  [['10.0.0.0/8'], '10.0.0.1', '1.1.1.1, 10.0.0.9', '1.1.1.1'],
  [['10.0.0.0/8'], '11.0.0.1', '1.1.1.1', '11.0.0.1'],
  [['loopback', '2001:db8::1'], '::1', '1.1.1.1, 2001:db8::1', '1.1.1.1'],
] as const)('with %j, a connection of %s that reports %s is of %s', (trustProxy, connected, forwarded, address) => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  expect(addressOf({ trustProxy }, connected, headers)).toBe(address)
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  [' 2001:db8::9 ', '2001:db8::9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['no address', '10.0.0.1'],
  [undefined, '10.0.0.1'],
])('a header that names %j means %s', (named, address) => {
  const headers = named === undefined ? {} : { 'x-real-ip': named }
  expect(addressOf({ addressHeader: 'x-real-ip' }, '::ffff:10.0.0.1', headers)).toBe(address)
  expect(addressOf({}, '::ffff:10.0.0.1', headers)).toBe('10.0.0.1')
})

test('a connection that is gone has no address', () => {
  expect(addressOf({ trustProxy: true }, undefined)).toBe(null)
})
