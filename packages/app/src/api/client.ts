import { apiPath } from './address.ts'
import { ApiError, type ErrorEntry } from './api-error.ts'
import { takeBegun, type Arrival, type Body } from './begun.ts'
import { plainText } from '../model/plain-text.ts'
import { signals } from './signals.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'SEARCH'

export interface RequestOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Query parameters: objects are sent as JSON, lists with commas, undefined not at all. */
  readonly params?: Readonly<Record<string, unknown>>
  /** Requests of signing in answer 401 by themselves; nothing is to be renewed then. */
  readonly isSigningIn?: boolean
}

export interface Response<T> {
  readonly data: T
  readonly meta: Readonly<Record<string, unknown>>
  readonly etag: string | null
  readonly status: number
  readonly milliseconds: number
}

/** Sends one request. A session that has run out is renewed once; if that fails, `signals.sessionEnded` fires. */
export async function request<T>(method: Method, path: string, options: RequestOptions = {}): Promise<Response<T>> {
  const version = signals.sessionVersion()
  const whyNot = signals.whyNotWritten()
  if (whyNot !== null && method !== 'GET' && method !== 'SEARCH' && !isAboutMyself(path))
    throw new ApiError(422, [{ message: whyNot, extensions: { code: 'UNPROCESSABLE_CONTENT' } }])
  try {
    return await send<T>(method, path, options)
  } catch (error) {
    if (!(error instanceof ApiError) || options.isSigningIn === true) throw error
    if (error.status === 403 && (await isEnded())) throw sessionEnded
    if (error.status !== 401) throw error
    if (!(await renewed(version))) {
      signals.endSession()
      throw sessionEnded
    }
    return await send<T>(method, path, options)
  }
}

export const get = <T>(path: string, options?: RequestOptions): Promise<Response<T>> => request<T>('GET', path, options)

async function send<T>(method: Method, path: string, options: RequestOptions): Promise<Response<T>> {
  const began = performance.now()
  const url = `${apiPath(path)}${queryString(options.params)}`
  // It was sent as oneself, and plainly.
  const isBegun = method === 'GET' && options.headers === undefined && signals.viewedAs() === null
  const { response, body } = (isBegun ? await takeBegun(url) : null) ?? (await arrival(method, url, options))
  const version = response.headers.get('x-schema-version')
  if (version !== null) signals.seeSchemaVersion(version)
  if (!response.ok) throw refusal(response, body)
  return {
    data: (body?.['data'] ?? null) as T,
    meta: (body?.['meta'] ?? {}) as Readonly<Record<string, unknown>>,
    etag: response.headers.get('etag'),
    status: response.status,
    milliseconds: performance.now() - began,
  }
}

async function arrival(method: Method, url: string, options: RequestOptions): Promise<Arrival> {
  const response = await fetched(method, url, options)
  return { response, body: parsed(await response.text()) }
}

async function fetched(
  method: Method,
  url: string,
  { body, headers, signal }: RequestOptions,
): Promise<globalThis.Response> {
  const viewedAs = signals.viewedAs()
  try {
    const response = await fetch(url, {
      method,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(viewedAs === null || isAboutMyself(url) ? {} : { 'x-view-as': viewedAs }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
    signals.seeConnection(true)
    return response
  } catch (error) {
    if (signal?.aborted === true) throw error
    signals.seeConnection(false)
    throw new ApiError(0, [])
  }
}

/** Signing in and out stay those of the person who looks, and previews of permissions name their user themselves. */
const isAboutMyself = (url: string): boolean => /\/(?:auth\/|permissions\/(?:explain|preview)$)/u.test(url)

function parsed(text: string): Body | null {
  if (text === '') return null
  try {
    return JSON.parse(text) as Body
  } catch {
    return null
  }
}

function refusal(response: globalThis.Response, body: Body | null): ApiError {
  const after = Number(response.headers.get('retry-after'))
  const retryAfter = Number.isFinite(after) && after > 0 ? after : null
  const entries = Array.isArray(body?.['errors']) ? (body['errors'] as readonly ErrorEntry[]) : [withoutBody(response)]
  return new ApiError(response.status, entries, { retryAfter, requestId: response.headers.get('x-request-id') })
}

const withoutBody = ({ status }: globalThis.Response): ErrorEntry => ({
  message: `The service answered ${status} without saying why.`,
  extensions: { code: 'UNKNOWN' },
})

/** The first refusal of an ended session takes its cookie away; requests beside it are refused as those of a stranger. */
async function isEnded(): Promise<boolean> {
  await renewal
  return signals.facts().isSessionEnded
}

const sessionEnded = new ApiError(401, [{ message: 'Token expired.', extensions: { code: 'TOKEN_EXPIRED' } }])

let renewal: Promise<boolean> | null = null

/** One renewal for all requests that failed together; none when somebody has signed in meanwhile. */
function renewed(version: number): Promise<boolean> {
  if (signals.sessionVersion() !== version) return Promise.resolve(true)
  renewal ??= send('POST', '/auth/refresh', { body: { mode: 'session' } })
    .then(() => true)
    .catch(() => false)
    .finally(() => {
      renewal = null
    })
  return renewal
}

export function queryString(params: Readonly<Record<string, unknown>> | undefined): string {
  const parts = Object.entries(params ?? {}).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(textOf(value))}`],
  )
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(',')
  return plainText(value)
}
