import { lookup, type LookupAddress } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { embeddedAddress, isGlobalAddress } from './global-address.ts'

/** An address that requests to other servers must not reach. The words are the same whatever the reason. */
export class AddressRefused extends Error {
  constructor() {
    super('The address cannot be reached.')
  }
}

/** Which addresses requests to other servers may reach. */
export type IsAllowedAddress = (address: string) => boolean

/** The network interfaces of this machine. They come and go, so they are read for each address. */
type Interfaces = () => NodeJS.Dict<readonly Pick<NetworkInterfaceInfo, 'address'>[]>

/** Addresses and networks: `10.1.2.3`, `fd00::/8`. */
export function addressList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return list
}

const isIn = (list: BlockList, address: string): boolean => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/**
 * Public addresses, except those of this machine and those that are denied. An allowed address may be private. An IPv6 address
 * that embeds an IPv4 address leads there, so the embedded address decides.
 */
export function allowedAddresses({
  allow,
  deny,
  interfaces = networkInterfaces,
}: {
  readonly allow: readonly string[]
  readonly deny: readonly string[]
  readonly interfaces?: Interfaces
}): IsAllowedAddress {
  const [allowed, denied] = [addressList(allow), addressList(deny)]
  return (address) => {
    if (isIP(address) === 0) return false
    const inner = embeddedAddress(address) ?? address
    if (isIn(denied, address) || isIn(denied, inner)) return false
    if (isIn(allowed, inner)) return true
    const own = addressesOf(interfaces())
    return isGlobalAddress(address) && !own.has(address) && !own.has(inner)
  }
}

const addressesOf = (interfaces: ReturnType<Interfaces>): ReadonlySet<string> =>
  new Set(Object.values(interfaces).flatMap((found) => (found ?? []).map(({ address }) => address)))

/** How long a name may take to be resolved when its address is stored. */
const LOOKUP = 2000

/** The host of a URL if it is an IP address; null if it is a name. */
function literalHost({ hostname }: URL): string | null {
  const host = hostname.replace(/^\[(.*)\]$/u, '$1')
  return isIP(host) === 0 ? null : host
}

/**
 * Whether the URL names an address that requests must not reach; false for a name. An IPv4 address written as an IPv6 one is
 * always refused: DNS64 returns such addresses for names, and only an attacker writes one.
 */
export function isRefusedLiteral(url: URL, isAllowed: IsAllowedAddress): boolean {
  const host = literalHost(url)
  return host !== null && (embeddedAddress(host) !== null || !isAllowed(host))
}

/** Whether requests to the host of a URL would be refused. A name that does not resolve now may do so later. */
export async function isRefusedHost(url: URL, isAllowed: IsAllowedAddress): Promise<boolean> {
  if (literalHost(url) !== null) return isRefusedLiteral(url, isAllowed)
  const found = await Promise.race([
    new Promise<readonly LookupAddress[]>((resolve) =>
      lookup(url.hostname, { all: true }, (error, addresses) => resolve(error === null ? addresses : [])),
    ),
    sleep(LOOKUP, [], { ref: false }),
  ])
  return !found.every(({ address }) => isAllowed(address))
}

/** One refused address refuses all addresses of a name, so the order of the answer decides nothing. */
export const areAllowed = (found: readonly LookupAddress[], isAllowed: IsAllowedAddress): boolean =>
  found.length > 0 && found.every(({ address }) => isAllowed(address))

/** Resolves a name once: the connection goes to the addresses that were checked. */
export const checkedLookup =
  (isAllowed: IsAllowedAddress): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '')
      const [first] = found
      if (first === undefined || !areAllowed(found, isAllowed)) return callback(new AddressRefused(), '')
      return options.all === true ? callback(null, found) : callback(null, first.address, first.family)
    })
  }
