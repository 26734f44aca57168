import { lookup, type LookupAddress } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { isGlobalAddress } from './global-address.ts'

/** An address that requests to other servers must not reach. The words are the same whatever the reason. */
export class AddressRefused extends Error {
  constructor() {
    super('The address cannot be reached.')
  }
}

/** Which addresses requests to other servers may reach. */
export type IsAllowedAddress = (address: string) => boolean

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
 * Addresses of the whole internet, but none of this machine and none that is denied. What is allowed by name is allowed, even
 * in a network of one's own.
 */
export function allowedAddresses({
  allow,
  deny,
}: {
  readonly allow: readonly string[]
  readonly deny: readonly string[]
}): IsAllowedAddress {
  const [allowed, denied] = [addressList(allow), addressList(deny)]
  return (address) => {
    if (isIP(address) === 0 || isIn(denied, address)) return false
    if (isIn(allowed, address)) return true
    return isGlobalAddress(address) && !ownAddresses().has(address)
  }
}

/** Interfaces come and go, so they are looked at each time. */
const ownAddresses = (): ReadonlySet<string> =>
  new Set(Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address)))

/** How long a name may take to be resolved when its address is stored. */
const LOOKUP = 2000

/** Whether requests to the host of an address would be refused. A name that leads nowhere now may do so later. */
export async function isRefusedHost({ hostname }: URL, isAllowed: IsAllowedAddress): Promise<boolean> {
  const host = hostname.replace(/^\[(.*)\]$/u, '$1')
  if (isIP(host) !== 0) return !isAllowed(host)
  const found = await Promise.race([
    new Promise<readonly LookupAddress[]>((resolve) =>
      lookup(host, { all: true }, (error, addresses) => resolve(error === null ? addresses : [])),
    ),
    sleep(LOOKUP, [], { ref: false }),
  ])
  return !found.every(({ address }) => isAllowed(address))
}

/**
 * Resolves a name once: the connection goes to the addresses that were checked. One that is refused refuses them all, so that
 * the order of the answers decides nothing.
 */
export const checkedLookup =
  (isAllowed: IsAllowedAddress): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '')
      const [first] = found
      if (first === undefined || !found.every(({ address }) => isAllowed(address)))
        return callback(new AddressRefused(), '')
      return options.all === true ? callback(null, found) : callback(null, first.address, first.family)
    })
  }
