// npm run verify webhook-addresses [-- --addresses 10000]
// Hostile addresses: whatever an address looks like, no request reaches an address that is not public.
import { createServer, type Server } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import {
  allowedAddresses,
  isRefusedHost,
  type IsAllowedAddress,
} from '../../packages/server/src/lib/outside-addresses.ts'
import { outsideUrl } from '../../packages/server/src/lib/outside-request.ts'
import { exchange } from '../../packages/server/src/webhooks/exchange.ts'
import type { Figure } from '../measurements/service.ts'
import { createRng, type Rng } from '../random/rng.ts'

export interface HostileAddresses {
  readonly tried: number
  /** Addresses that are no addresses of servers at all. */
  readonly invalid: number
  /** Refused when they were stored. */
  readonly refused: number
  /** Requests that arrived although nothing is public here. */
  readonly arrived: readonly string[]
  /** Addresses in the forms of this machine that were stored. */
  readonly stored: readonly string[]
}

/** Every one of these leads to this machine, to its network, or to nobody. */
const privates = [
  '127.0.0.1',
  '127.1.2.3',
  '10.0.0.1',
  '172.16.5.4',
  '192.168.0.1',
  '169.254.169.254',
  '0.0.0.0',
  '100.64.0.1',
]

type Spell = (address: string, random: Rng) => string

const bytesOf = (address: string) => address.split('.').map(Number)
const numberOf = (address: string) => bytesOf(address).reduce((sum, byte) => sum * 256 + byte, 0)
const hexPairs = (address: string) => {
  const hex = bytesOf(address).map((byte) => byte.toString(16).padStart(2, '0'))
  return `${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`
}

/** The ways to write an address that readers of addresses are known to stumble over. */
const spellings: Readonly<Record<string, Spell>> = {
  plain: (address) => address,
  decimal: (address) => String(numberOf(address)),
  hexadecimal: (address) => `0x${numberOf(address).toString(16)}`,
  octal: (address) =>
    bytesOf(address)
      .map((byte) => `0${byte.toString(8)}`)
      .join('.'),
  mixed: (address, random) =>
    bytesOf(address)
      .map((byte) => random.pick([String(byte), `0x${byte.toString(16)}`, `0${byte.toString(8)}`]))
      .join('.'),
  short: (address) => {
    const [first, ...rest] = bytesOf(address)
    return `${first}.${rest.reduce((sum, byte) => sum * 256 + byte, 0)}`
  },
  mapped: (address) => `[::ffff:${address}]`,
  mappedHex: (address) => `[::ffff:${hexPairs(address)}]`,
  compatible: (address) => `[::${address}]`,
  nat64: (address) => `[64:ff9b::${hexPairs(address)}]`,
  sixToFour: (address) => `[2002:${hexPairs(address)}::1]`,
  loopback6: () => '[::1]',
  any6: () => '[::]',
  unique6: (_, random) => `[fd${random.int(10, 99)}::1]`,
  link6: () => '[fe80::1]',
  name: (_, random) => random.pick(['localhost', 'LOCALHOST', 'localhost.', 'ip6-localhost', 'foo.localhost']),
  fullWidth: (address) => address.replace(/\d/gu, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  ideographic: (address) => address.replaceAll('.', '\u3002'),
  escaped: (address) => address.replace('1', '%31'),
  trailing: (address) => `${address}.`,
}

/** What stands around the host. */
const frames: readonly ((host: string, port: number) => string)[] = [
  (host, port) => `http://${host}:${port}/`,
  (host, port) => `https://${host}:${port}/`,
  (host, port) => `http://example.com@${host}:${port}/`,
  (host, port) => `http://${host}:${port}#@example.com/`,
  (host, port) => `http://${host}:${port}\\@example.com/`,
  (host, port) => `http:\\\\${host}:${port}/`,
  (host, port) => `http:${host}:${port}/`,
  (host, port) => `\thttp://${host}:${port}/\n`,
  (host, port) => `HTTP://${host}:${port}/?url=http://example.com/`,
  (host, port) => `gopher://${host}:${port}/_GET`,
  (host, port) => `http://${host}:0${port}/`,
]

async function listen(host: string, port: number, arrived: string[]): Promise<Server | null> {
  const server = createServer((request, response) => {
    arrived.push(`${host} ${request.headers.host} ${request.url}`)
    response.end()
  })
  return new Promise((resolve) => {
    server.once('error', () => resolve(null))
    server.listen(port, host, () => resolve(server))
  })
}

export async function runHostileAddresses(
  count: number,
  seed: number,
  isAllowed: IsAllowedAddress = allowedAddresses({ allow: [], deny: [] }),
): Promise<HostileAddresses> {
  const random = createRng(seed)
  const arrived: string[] = []
  const first = await listen('0.0.0.0', 0, arrived)
  if (first === null) throw new Error('there is no port to listen at')
  const { port } = first.address() as AddressInfo
  const second = await listen('::1', port, arrived)
  const stored: string[] = []
  let [invalid, refused] = [0, 0]
  for (let n = 0; n < count; n += 1) {
    const host = random.pick(Object.values(spellings))(random.pick(privates), random)
    const text = random.pick(frames)(host, port)
    const url = outsideUrl(text)
    if (url === null) invalid += 1
    else {
      // Both are tried: an address may have been stored before it led here.
      const isRefused = await isRefusedHost(url, isAllowed)
      if (isRefused) refused += 1
      else if (isIP(url.hostname.replaceAll(/[[\]]/gu, '')) !== 0) stored.push(text)
      await exchange({ url, headers: {}, body: '{}', isAllowed, timeout: 1000 })
    }
  }
  for (const server of [first, second]) server?.close()
  return { tried: count, invalid, refused, arrived, stored }
}

const none = { atMost: 0 }

export async function figures(count: number, seed: number): Promise<Figure[]> {
  const { tried, invalid, refused, arrived, stored } = await runHostileAddresses(count, seed)
  for (const line of [...arrived.slice(0, 20), ...stored.slice(0, 20)]) console.log(line)
  return [
    { what: 'hostile addresses', value: tried, unit: '' },
    { what: 'that are no addresses of servers', value: invalid, unit: '' },
    { what: 'refused when they are stored', value: refused, unit: '', bound: { atLeast: Math.floor(count / 2) + 1 } },
    { what: 'private addresses that were stored', value: stored.length, unit: '', bound: none },
    { what: 'requests that arrived', value: arrived.length, unit: '', bound: none },
  ]
}
