import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { embeddedAddress, isGlobalAddress } from './global-address.ts'

describe('an address that everybody can reach', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '99.255.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.169.0.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
    '2002:808:808::1',
  ])('%s', (address) => expect(isGlobalAddress(address)).toBe(true))
})

describe('an address of a network of its own, or of none', () => {
  test.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.8.9.10',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '239.1.2.3',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:a00:1',
    '::127.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b:1::808:808',
    '2002:7f00:1::',
    '2002:c0a8:101::1',
    '2001::1',
    '2001:db8::1',
    '3fff::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '100::1',
    '5f00::1',
    'localhost',
    '127.1',
    '2130706433',
    '0x7f000001',
    '',
  ])('%s', (address) => expect(isGlobalAddress(address)).toBe(false))
})

test('an IPv4 address inside an IPv6 one is found, and judged as itself', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const groups = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))
      const hex = `${groups[0]}${groups[1]}:${groups[2]}${groups[3]}`
      for (const written of [`::ffff:${address}`, `::ffff:${hex}`, `64:ff9b::${hex}`, `2002:${hex}::1`])
        expect([written, embeddedAddress(written), isGlobalAddress(written)]).toEqual([
          written,
          address,
          isGlobalAddress(address),
        ])
    }),
    { seed: 1, numRuns: 200 },
  )
})

test('a Teredo address embeds an IPv4 address, but no host is reached by it', () => {
  expect(embeddedAddress('2001:0:4136:e378:8000:63bf:f7f7:f7f7')).toBe('8.8.8.8')
  expect(isGlobalAddress('2001:0:4136:e378:8000:63bf:f7f7:f7f7')).toBe(false)
})

test.each(['8.8.8.8', '::', '::1', '2001:4860:4860::8888', '64:ff9b:1::1', '2003::808:808', 'fe80::1%eth0', 'name'])(
  '%s embeds no IPv4 address',
  (address) => expect(embeddedAddress(address)).toBeNull(),
)
