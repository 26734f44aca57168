import { errorsIn, TainError, unanswered, type ErrorDetail } from './errors.ts'
import type { CallOptions } from './options.ts'
import { createPositions } from './position.ts'
import { asked, backoff, mayPass, orAborted, pause } from './retry.ts'

export interface Request {
  readonly method: string
  /** Path and query string. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** May be repeated: it changes nothing, or carries a key. */
  readonly isRepeatable: boolean
  /** Sent without a token. */
  readonly isOpen?: boolean
  /** The response is the content of a file. */
  readonly wantsContent?: boolean
  /** Statuses besides successes that are answers. */
  readonly accepts?: readonly number[]
}

/** A response whose body has been read. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** In place of the text, if the request wants it and was successful. */
  readonly content?: Blob
}

/** Who the caller is. */
export interface Credentials {
  /** The header that identifies the caller; refreshes a token that is about to expire. */
  readonly header: () => Promise<string | null>
  /** After TOKEN_EXPIRED for a request that began then: whether it is worth another attempt. */
  readonly renew: (used: string | null, began: number) => Promise<boolean>
  /** When the token is to be renewed, in milliseconds since 1970; null: nobody knows. */
  readonly renewAt: () => Promise<number | null>
  readonly sendsCookies: boolean
}

/** Where the service is, and who the caller is: for parts of the SDK with an entry of their own. */
export interface Access {
  readonly url: string
  readonly credentials: Credentials
}

export interface TransportOptions {
  readonly url: string
  readonly fetch: typeof fetch
  readonly timeout: number
  readonly retries: number
  readonly headers: Readonly<Record<string, string>>
}

export type Send = (request: Request, options?: CallOptions) => Promise<Reply>

const unexpected = ({ status, text }: Reply): ErrorDetail => ({
  message: `The server answered ${status}: ${text.slice(0, 200)}`,
  extensions: { code: 'UNEXPECTED_RESPONSE' },
})

/** The JSON of a reply; undefined if its body is empty. */
export function jsonOf(reply: Reply): unknown {
  if (reply.text === '') return undefined
  try {
    return JSON.parse(reply.text)
  } catch (cause) {
    throw new TainError(reply.status, [unexpected(reply)], { cause })
  }
}

/** The `data` of a reply. */
export const dataOf = (reply: Reply): unknown => (jsonOf(reply) as { readonly data?: unknown } | undefined)?.data

function refusal(reply: Reply): TainError {
  try {
    const errors = errorsIn(jsonOf(reply))
    return new TainError(reply.status, errors.length > 0 ? errors : [unexpected(reply)])
  } catch (error) {
    return error as TainError
  }
}

const isSuccess = ({ status }: Reply, { accepts = [] }: Request) =>
  (status >= 200 && status < 300) || accepts.includes(status)

/** One call: its deadline, and the signal that ends it. */
interface Call {
  readonly signal: AbortSignal | undefined
  readonly timer: AbortSignal | undefined
  readonly deadline: number
  readonly retries: number
}

function begin({ signal, timeout, retries }: CallOptions, defaults: TransportOptions): Call {
  const limit = timeout ?? defaults.timeout
  const timer = limit > 0 ? AbortSignal.timeout(limit) : undefined
  const signals = [signal, timer].filter((each) => each !== undefined)
  return {
    signal: signals.length > 1 ? AbortSignal.any(signals) : signals[0],
    timer,
    deadline: limit > 0 ? Date.now() + limit : Infinity,
    retries: retries ?? defaults.retries,
  }
}

/** The end of a call by its time is a TainError. Aborts of the caller, and errors of the caller's functions, stay as they are. */
function endOf(error: unknown, { signal, timer }: Call): unknown {
  if (error instanceof TainError) return error
  if (timer?.aborted === true && signal?.reason === timer.reason)
    return unanswered('TIMEOUT', 'The call took too long.', error)
  return signal?.aborted === true ? signal.reason : error
}

const renewed = async ({ headers }: Request, { header }: Credentials) => {
  const authorization = await header()
  return { ...headers, ...(authorization === null ? {} : { authorization }) }
}

/** `fetch` rejects if there is no response. */
function lossOf(error: unknown, call: Call): unknown {
  const end = endOf(error, call)
  return end === error && !(error instanceof TainError) && call.signal?.aborted !== true
    ? unanswered('NETWORK', 'The server could not be reached.', error)
    : end
}

/** Sends one request and reads the response. */
async function exchange(request: Request, init: RequestInit, call: Call, options: TransportOptions): Promise<Reply> {
  try {
    const response = await options.fetch(`${options.url}${request.path}`, {
      ...init,
      method: request.method,
      ...(request.accepts?.includes(302) === true ? { redirect: 'manual' } : {}),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    })
    const { status, headers } = response
    if (request.wantsContent === true && response.ok)
      return { status, headers, text: '', content: await response.blob() }
    return { status, headers, text: await response.text() }
  } catch (error) {
    throw lossOf(error, call)
  }
}

/** How long to wait before a repetition; null: it is of no use. */
function waitAfter(error: unknown, retryAfter: string | null, repeated: number): number | null {
  if (!(error instanceof TainError)) return null
  if (error.code === 'NETWORK') return backoff(repeated)
  return mayPass(error.status) ? (asked(retryAfter, Date.now()) ?? backoff(repeated)) : null
}

const bodyOf = (body: unknown): string | FormData | undefined =>
  body === undefined || body instanceof FormData ? body : JSON.stringify(body)

/** Sends requests: with credentials, within a deadline, and again if they may pass later. */
export function createTransport(options: TransportOptions, credentials: () => Credentials): Send {
  const positions = createPositions()

  const attempt = async (
    request: Request,
    body: string | FormData | undefined,
    call: Call,
    given: CallOptions,
  ): Promise<Reply> => {
    const { header, renew, sendsCookies } = credentials()
    const began = Date.now()
    const authorization = request.isOpen === true ? null : await orAborted(header(), call.signal)
    const headers = {
      // The type of a form names its boundary, which only fetch knows.
      ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      ...(authorization === null ? {} : { authorization }),
      ...positions.header(),
      ...options.headers,
      ...request.headers,
      ...given.headers,
    }
    const init: RequestInit = {
      headers,
      ...(body === undefined ? {} : { body }),
      ...(sendsCookies ? { credentials: 'include' } : {}),
    }
    const reply = await exchange(request, init, call, options)
    positions.note(reply.headers)
    const isExpired = request.isOpen !== true && reply.status === 401 && refusal(reply).code === 'TOKEN_EXPIRED'
    if (!isExpired || !(await orAborted(renew(authorization, began), call.signal))) return reply
    // Once: a new token that is expired, too, is a refusal.
    return attempt({ ...request, isOpen: true, headers: await renewed(request, credentials()) }, body, call, given)
  }

  return async (request, given = {}) => {
    const call = begin(given, options)
    const body = bodyOf(request.body)
    for (let repeated = 0; ; repeated += 1) {
      let [error, retryAfter]: [unknown, string | null] = [null, null]
      try {
        const reply = await attempt(request, body, call, given)
        if (isSuccess(reply, request)) return reply
        error = refusal(reply)
        retryAfter = reply.headers.get('retry-after')
      } catch (thrown) {
        error = endOf(thrown, call)
      }
      const wait = waitAfter(error, retryAfter, repeated)
      if (wait === null || !request.isRepeatable || repeated >= call.retries) throw error
      if (Date.now() + wait >= call.deadline) throw error
      await pause(wait, call.signal).catch((reason: unknown) => {
        throw endOf(reason, call)
      })
    }
  }
}
