import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { plainAddress } from './plain-address.ts'

export interface ProxySettings {
  /** The proxies that are trusted to report the client's address. */
  readonly trustProxy: boolean | number | readonly string[]
  /** The header in which a proxy reports it, in lower case. */
  readonly addressHeader: string | null
}

/** The client's address; null: the connection is gone. */
export type ClientAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string | null

/** Requests, upgrades to sockets and signed links have the same address: this is the only place that reads it. */
export function createClientAddress({ trustProxy, addressHeader }: ProxySettings): ClientAddress {
  const trusts = trustIn(trustProxy)
  return ({ headers, socket: { remoteAddress: connected } }) => {
    const named = addressHeader === null ? undefined : headers[addressHeader]
    if (typeof named === 'string' && isIP(named.trim()) !== 0) return plainAddress(named.trim())
    if (connected === undefined) return null
    const forwarded = headers['x-forwarded-for']
    return forwardedAddress(connected, Array.isArray(forwarded) ? forwarded.join(',') : forwarded, trusts)
  }
}

/** Whether the proxy at an address is trusted; `hop` counts from the one nearest to the service. */
type Trusts = (address: string, hop: number) => boolean

const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Which proxies a setting trusts: all, none, this many, or those at these addresses. */
export function trustIn(trusted: ProxySettings['trustProxy']): Trusts {
  if (typeof trusted === 'boolean') return () => trusted
  if (typeof trusted === 'number') return (_, hop) => hop < trusted
  const list = new BlockList()
  for (const network of trusted.flatMap((name) => named[name] ?? [name])) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** The client's address: that of the connection, or the nearest one that no trusted proxy has reported of itself. */
function forwardedAddress(connected: string, forwarded: string | undefined, trusts: Trusts): string {
  if (forwarded === undefined) return plainAddress(connected)
  const reported = forwarded
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '')
    .toReversed()
  const chain = [connected, ...reported].map(plainAddress)
  const first = chain.findIndex((address, hop) => !trusts(address, hop))
  return chain[first === -1 ? chain.length - 1 : first] ?? connected
}
