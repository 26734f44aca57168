import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** What IANA lists as not globally reachable, and multicast. */
const special: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Of IPv6 only this part is assigned to hosts that everybody can reach. */
const globalUnicast: readonly [string, number] = ['2000::', 3]
const specialInside: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
]

function blocks(networks: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family)
  return list
}

const special4 = blocks(special, 'ipv4')
const global6 = blocks([globalUnicast], 'ipv6')
const special6 = blocks(specialInside, 'ipv6')

/** The sixteen bytes of an IPv6 address, by way of its canonical spelling in a URL. */
function bytesOf(address: string): readonly number[] {
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  const [before, after] = [groups(head), groups(tail ?? '')]
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - before.length - after.length }, () => 0)
  return [...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff])
}

const isZero = (bytes: readonly number[]) => bytes.every((byte) => byte === 0)
const startsWith = (bytes: readonly number[], prefix: readonly number[]) =>
  prefix.every((byte, at) => bytes[at] === byte)

const nat64 = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]
const sixToFour = [0x20, 0x02]
const teredo = [0x20, 0x01, 0, 0]

/** The IPv4 address in an IPv6 address: mapped, compatible, NAT64, 6to4 or Teredo; null if there is none. */
export function embeddedAddress(address: string): string | null {
  if (!isIPv6(address)) return null
  const bytes = bytesOf(address.replace(/%.*$/u, ''))
  const last = bytes.slice(12)
  const isMapped = isZero(bytes.slice(0, 10)) && bytes[10] === 0xff && bytes[11] === 0xff
  const isCompatible = isZero(bytes.slice(0, 12)) && !isZero(bytes.slice(12, 15))
  if (isMapped || isCompatible || startsWith(bytes, nat64)) return last.join('.')
  if (startsWith(bytes, sixToFour)) return bytes.slice(2, 6).join('.')
  // Teredo stores the bits of the client's address inverted.
  return startsWith(bytes, teredo) ? last.map((byte) => byte ^ 0xff).join('.') : null
}

/** Whether an address belongs to one host that the whole internet can reach, and so to no network of one's own. */
export function isGlobalAddress(address: string): boolean {
  if (isIPv4(address)) return !special4.check(address, 'ipv4')
  // An address with a zone belongs to a network of this machine.
  if (!isIPv6(address) || address.includes('%')) return false
  if (special6.check(address, 'ipv6')) return false
  const inner = embeddedAddress(address)
  return inner === null ? global6.check(address, 'ipv6') : isGlobalAddress(inner)
}
