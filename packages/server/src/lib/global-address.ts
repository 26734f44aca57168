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

/** IPv4 addresses inside an IPv6 address: mapped, compatible, NAT64 and 6to4; the connection would go to them. */
function embedded(address: string): string | null {
  const bytes = bytesOf(address)
  const last = bytes.slice(12).join('.')
  const isMapped = isZero(bytes.slice(0, 10)) && bytes[10] === 0xff && bytes[11] === 0xff
  const isCompatible = isZero(bytes.slice(0, 12)) && !isZero(bytes.slice(12, 15))
  const isNat64 = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0].every((byte, at) => bytes[at] === byte)
  if (isMapped || isCompatible || isNat64) return last
  return bytes[0] === 0x20 && bytes[1] === 0x02 ? bytes.slice(2, 6).join('.') : null
}

/** Whether an address belongs to one host that the whole internet can reach, and so to no network of one's own. */
export function isGlobalAddress(address: string): boolean {
  if (isIPv4(address)) return !special4.check(address, 'ipv4')
  // An address with a zone belongs to a network of this machine.
  if (!isIPv6(address) || address.includes('%')) return false
  const inner = embedded(address)
  if (inner !== null) return isGlobalAddress(inner)
  return global6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
}
