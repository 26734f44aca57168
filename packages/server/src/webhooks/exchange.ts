import type { IncomingMessage } from 'node:http'
import { AddressRefused, type IsAllowedAddress } from '../lib/outside-addresses.ts'
import type { OutsideConnections } from '../lib/outside-connections.ts'
import { requestOutside } from '../lib/outside-request.ts'

/** What came of a request. `response`: the status; `error`: why there is none, or none that counts. */
export interface Outcome {
  readonly duration: number
  readonly response: number | null
  readonly error: string | null
}

export interface Exchange {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly isAllowed: IsAllowedAddress
  readonly connections?: OutsideConnections
  /** For all of it: finding the address, connecting, sending, and reading the response. */
  readonly timeout: number
}

export const ADDRESS_REFUSED = 'ADDRESS_REFUSED'

/** More of a response is not read. */
const MOST_READ = 64 * 1024

/** Sends a body and reads the response, of which the status alone counts. Follows no redirects and never throws. */
export async function exchange({ timeout, ...request }: Exchange): Promise<Outcome> {
  const began = performance.now()
  const duration = () => Math.round(performance.now() - began)
  const signal = AbortSignal.timeout(timeout)
  try {
    const response = await requestOutside({ ...request, signal, redirects: 0, method: 'POST' })
    const status = response.statusCode ?? null
    await drain(response)
    return { duration: duration(), response: status, error: null }
  } catch (error) {
    return { duration: duration(), response: null, error: signal.aborted ? 'TIMEOUT' : codeOf(error) }
  }
}

async function drain(response: IncomingMessage): Promise<void> {
  let read = 0
  for await (const chunk of response) {
    read += (chunk as Buffer).length
    // Leaving the loop ends the connection.
    if (read > MOST_READ) return
  }
}

const CODE = /^[A-Z][A-Z0-9_]{1,60}$/u

/** Codes tell enough; messages could tell what stands behind an address. */
function codeOf(error: unknown): string {
  if (error instanceof AddressRefused) return ADDRESS_REFUSED
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return CODE.test(code) ? code : 'FAILED'
}
