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
  /** Statuses besides successes that are answers. */
  readonly accepts?: readonly number[]
}

/** A response whose body has been read. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Who the caller is. */
export interface Credentials {
  /** The header that identifies the caller; refreshes a token that is about to expire. */
  readonly header: () => Promise<string | null>
  /** After TOKEN_EXPIRED: whether the request is worth another attempt. */
  readonly renew: (used: string | null) => Promise<boolean>
  readonly sendsCookies: boolean
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

/** Aborts of the caller stay what they are; everything else without a response becomes a TainError. */
function failure(error: unknown, { signal, timer }: Call): unknown {
  if (error instanceof TainError) return error
  if (timer?.aborted === true && signal?.reason === timer.reason)
    return unanswered('TIMEOUT', 'The call took too long.', error)
  if (signal?.aborted === true) return signal.reason
  return unanswered('NETWORK', 'The server could not be reached.', error)
}

/** Sends requests: with credentials, within a deadline, and again if they may pass later. */
export function createTransport(options: TransportOptions, credentials: () => Credentials): Send {
  const positions = createPositions()
  const attempt = async (request: Request, call: Call, given: CallOptions, header: string | null) => {
    const hasBody = request.body !== undefined
    const response = await options.fetch(`${options.url}${request.path}`, {
      method: request.method,
      headers: {
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
        ...(header === null ? {} : { authorization: header }),
        ...positions.header(),
        ...options.headers,
        ...request.headers,
        ...given.headers,
      },
      ...(request.accepts?.includes(302) === true ? { redirect: 'manual' as const } : {}),
      ...(hasBody ? { body: JSON.stringify(request.body) } : {}),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
      ...(credentials().sendsCookies ? { credentials: 'include' as const } : {}),
    })
    positions.note(response.headers)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  return async (request, given = {}) => {
    const call = begin(given, options)
    let [repeated, isRenewed] = [0, false]
    for (;;) {
      let wait: number | null = null
      let error: unknown
      try {
        const header = request.isOpen === true ? null : await orAborted(credentials().header(), call.signal)
        const reply = await attempt(request, call, given, header)
        if (isSuccess(reply, request)) return reply
        const refused = refusal(reply)
        if (refused.code === 'TOKEN_EXPIRED' && !isRenewed && request.isOpen !== true) {
          isRenewed = true
          if (await orAborted(credentials().renew(header), call.signal)) continue
        }
        error = refused
        if (mayPass(reply.status)) wait = asked(reply.headers.get('retry-after'), Date.now()) ?? backoff(repeated)
      } catch (thrown) {
        error = failure(thrown, call)
        if (error instanceof TainError && error.code === 'NETWORK') wait = backoff(repeated)
      }
      const isRepeated = wait !== null && request.isRepeatable && repeated < call.retries
      if (!isRepeated || Date.now() + (wait ?? 0) >= call.deadline) throw error
      repeated += 1
      await pause(wait ?? 0, call.signal).catch((reason: unknown) => {
        throw failure(reason, call)
      })
    }
  }
}
