import { lookup as lookupOfSystem, type LookupAddress } from 'node:dns'
import { Agent as PlainAgent, type AgentOptions, type RequestOptions } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import type { LookupFunction } from 'node:net'
import { AddressRefused, areAllowed, type IsAllowedAddress } from './outside-addresses.ts'

/** Connections to other servers that later requests use again. */
export interface OutsideConnections {
  /** Resolves and checks the host. The request may use a kept connection to the addresses found, or open one. */
  readonly to: (url: URL, limits: ConnectionLimits) => Promise<RequestOptions>
  readonly close: () => void
}

export interface ConnectionLimits {
  readonly isAllowed: IsAllowedAddress
  readonly signal: AbortSignal
}

type LookupAll = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void

/** Shorter than servers usually keep idle connections: Node closes them after 5 seconds, others later. */
const IDLE = 4000
/** Idle connections to one server. */
const MOST_IDLE = 20

interface CheckedOptions extends RequestOptions {
  readonly checked: string
}

export function createOutsideConnections(lookup: LookupAll = lookupOfSystem): OutsideConnections {
  const resolve = sharedLookup(lookup)
  const settings: AgentOptions = { keepAlive: true, maxFreeSockets: MOST_IDLE, timeout: IDLE, scheduling: 'lifo' }
  const [plain, secure] = [new PlainAgent(settings), new SecureAgent(settings)]
  for (const agent of [plain, secure]) {
    const nameOf = agent.getName.bind(agent)
    // A connection serves only requests whose host resolves to the addresses that were checked when it was opened.
    agent.getName = (options = {}) => `${nameOf(options)} ${(options as CheckedOptions).checked}`
  }
  return {
    async to(url, { isAllowed, signal }) {
      const agent = url.protocol === 'https:' ? secure : plain
      const found = await unlessAborted(resolve(url.hostname.replace(/^\[(.*)\]$/u, '$1')), signal)
      if (!areAllowed(found, isAllowed)) throw new AddressRefused()
      const checked = found.map(({ address }) => address).toSorted()
      return { agent, lookup: lookupOf(found), checked: checked.join(' ') } as CheckedOptions
    },
    close() {
      plain.destroy()
      secure.destroy()
    },
  }
}

const lookupOf =
  (found: readonly LookupAddress[]): LookupFunction =>
  (_, { all }, callback) => {
    const [first] = found
    if (all === true || first === undefined) callback(null, [...found])
    else callback(null, first.address, first.family)
  }

/** Requests to one host share a lookup. Otherwise a name server that hangs would occupy every thread that resolves names. */
function sharedLookup(lookup: LookupAll): (hostname: string) => Promise<readonly LookupAddress[]> {
  const running = new Map<string, Promise<readonly LookupAddress[]>>()
  return (hostname) => {
    const known = running.get(hostname)
    if (known !== undefined) return known
    const found = new Promise<readonly LookupAddress[]>((resolve, reject) =>
      lookup(hostname, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error))),
    ).finally(() => running.delete(hostname))
    running.set(hostname, found)
    return found
  }
}

const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    work.then(resolve, reject)
  })
