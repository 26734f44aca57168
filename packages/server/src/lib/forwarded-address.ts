import { BlockList, isIPv6 } from 'node:net'
import { plainAddress } from './plain-address.ts'

/** Whether the proxy at an address is trusted; `hop` counts from the one nearest to the service. */
type Trusts = (address: string, hop: number) => boolean

const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Which proxies a setting trusts: all, none, this many, or those at these addresses. */
export function trustIn(trusted: boolean | number | readonly string[]): Trusts {
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
export function forwardedAddress(connected: string, forwarded: string | undefined, trusts: Trusts): string {
  const reported = (forwarded ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '')
    .toReversed()
  const chain = [connected, ...reported].map(plainAddress)
  const first = chain.findIndex((address, hop) => !trusts(address, hop))
  return chain[first === -1 ? chain.length - 1 : first] ?? connected
}
