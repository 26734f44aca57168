import { describe, expect, test } from 'vitest'
import { allowedAddresses as allowedBeside, isRefusedHost, isRefusedLiteral } from './outside-addresses.ts'

const OWN = '93.184.216.34'

const interfaces = () => ({ eth0: [{ address: OWN }, { address: '2a00:1450:4001::5' }] })

const allowedAddresses = (lists: { readonly allow: readonly string[]; readonly deny: readonly string[] }) =>
  allowedBeside({ ...lists, interfaces })

/** An IPv4 address in every IPv6 form that leads to it. */
function formsOf(address: string, invert = (byte: number) => byte ^ 0xff): Readonly<Record<string, string>> {
  const bytes = address.split('.').map(Number)
  const hex = (values: readonly number[]) =>
    [0, 2].map((at) => ((values[at]! << 8) | values[at + 1]!).toString(16)).join(':')
  return {
    mapped: `::ffff:${address}`,
    'mapped, in hexadecimal': `::ffff:${hex(bytes)}`,
    compatible: `::${hex(bytes)}`,
    NAT64: `64:ff9b::${hex(bytes)}`,
    '6to4': `2002:${hex(bytes)}::1`,
    Teredo: `2001:0:4136:e378:8000:63bf:${hex(bytes.map(invert))}`,
  }
}

const casesOf = (address: string) => Object.entries({ itself: address, ...formsOf(address) })
const anything = allowedAddresses({ allow: ['0.0.0.0/0', '::/0'], deny: [] })

describe('the address that a name resolves to', () => {
  const nothing = allowedAddresses({ allow: [], deny: [] })

  test.each(casesOf(OWN))('is refused if it leads to this machine: %s', (_, address) =>
    expect(nothing(address)).toBe(false),
  )
  test.each(casesOf('8.8.8.8'))('is refused if it leads to a denied address: %s', (_, address) =>
    expect(allowedAddresses({ allow: ['8.8.0.0/16'], deny: ['8.8.8.8'] })(address)).toBe(false),
  )
  test.each(casesOf('10.1.2.3'))('is taken if it leads to an allowed address: %s', (_, address) => {
    expect(nothing(address)).toBe(false)
    expect(allowedAddresses({ allow: ['10.1.2.0/24'], deny: [] })(address)).toBe(true)
  })
  test('may be denied by the network of an IPv6 form', () =>
    expect(allowedAddresses({ allow: [], deny: ['64:ff9b::/96'] })('64:ff9b::808:808')).toBe(false))
  test('may be public', () => {
    for (const address of ['8.8.8.8', '64:ff9b::808:808', '2001:4860:4860::8888'])
      expect([address, nothing(address)]).toEqual([address, true])
  })
})

describe('an address in a URL', () => {
  test.each(Object.entries({ ...formsOf('8.8.8.8') }))(
    'is refused if it embeds an IPv4 one: %s',
    async (_, address) => {
      const url = new URL(`http://[${address}]/`)
      expect(isRefusedLiteral(url, anything)).toBe(true)
      expect(await isRefusedHost(url, anything)).toBe(true)
    },
  )
  test.each(['8.8.8.8', '127.0.0.1', '[2001:4860:4860::8888]', '[::1]'])('may be another one: %s', async (host) => {
    const url = new URL(`http://${host}/`)
    expect(isRefusedLiteral(url, anything)).toBe(false)
    expect(await isRefusedHost(url, anything)).toBe(false)
  })
  test('is none if it is a name', () => expect(isRefusedLiteral(new URL('http://localhost/'), () => false)).toBe(false))
})
