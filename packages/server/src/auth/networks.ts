import { isIPv6 } from 'node:net'

/** The network that counts as one caller: an IPv4 address, or an IPv6 /64, which one host usually has. */
export const networkOf = (address: string | null): string => prefixOf(address, 4)

/** The /48 of an IPv6 address: 65,536 networks, which one customer may have. */
export const siteOf = (address: string | null): string => prefixOf(address, 3)

function prefixOf(address: string | null, length: number): string {
  if (address === null || !isIPv6(address)) return address ?? 'unknown'
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length)
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ?? '').split(':')]
  return all
    .slice(0, length)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/u, ''))
    .join(':')
}
