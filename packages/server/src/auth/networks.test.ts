import { expect, test } from 'vitest'
import { networkOf, siteOf } from './networks.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:0001:0002::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['2001:db8:1::', '2001:db8:1:0'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['1:2:3:4:5:6:7::', '1:2:3:4'],
])('%s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('an address that is not known is one', () => {
  expect(networkOf(null)).toBe('unknown')
})

test('the networks of one customer are one site', () => {
  expect(['2001:db8:1:2::6', '2001:db8:1:ffff::1', '203.0.113.7'].map((address) => siteOf(address))).toEqual([
    '2001:db8:1',
    '2001:db8:1',
    '203.0.113.7',
  ])
})
