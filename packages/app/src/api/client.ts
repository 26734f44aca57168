import { apiPath } from './address.ts'
import { ApiError, type ErrorEntry } from './api-error.ts'
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
  try {
    return await send<T>(method, path, options)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401 || options.isSigningIn === true) throw error
    if (!(await renewed(version))) {
      signals.endSession()
      throw error
    }
    return await send<T>(method, path, options)
  }
}

export const get = <T>(path: string, options?: RequestOptions): Promise<Response<T>> => request<T>('GET', path, options)

async function send<T>(method: Method, path: string, options: RequestOptions): Promise<Response<T>> {
  const began = performance.now()
  const response = await fetched(method, `${apiPath(path)}${queryString(options.params)}`, options)
  const text = await response.text()
  const body = parsed(text)
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

async function fetched(
  method: Method,
  url: string,
  { body, headers, signal }: RequestOptions,
): Promise<globalThis.Response> {
  const viewedAs = signals.viewedAs()
  try {
    return await fetch(url, {
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
  } catch (error) {
    if (signal?.aborted === true) throw error
    signals.seeConnection(false)
    throw new ApiError(0, [])
  } finally {
    if (navigator.onLine) signals.seeConnection(true)
  }
}

/** Signing in and out, and the start of the app, stay those of the person who looks. */
const isAboutMyself = (url: string): boolean => /\/(?:auth|server)\//u.test(url)

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  if (text === '') return null
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    return null
  }
}

function refusal(response: globalThis.Response, body: Readonly<Record<string, unknown>> | null): ApiError {
  const after = Number(response.headers.get('retry-after'))
  const entries = Array.isArray(body?.['errors']) ? (body['errors'] as readonly ErrorEntry[]) : [withoutBody(response)]
  return new ApiError(response.status, entries, Number.isFinite(after) && after > 0 ? after : null)
}

const withoutBody = ({ status }: globalThis.Response): ErrorEntry => ({
  message: `The service answered ${status} without saying why.`,
  extensions: { code: 'UNKNOWN' },
})

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
