// Answers of the service for moments that are hard to make: the same bodies and headers, given by the browser's side.
import type { Page, Request, Route } from 'playwright-core'
import { ServiceError, type ErrorCode } from '../../../packages/contract/src/index.ts'

/** Which requests: the method, and the path of the API. */
export interface Asked {
  readonly method: string
  readonly path: string
}

const isAsked = (request: Request, { method, path }: Asked): boolean =>
  request.method() === method && decodeURIComponent(new URL(request.url()).pathname) === path

/** Answers requests otherwise until it is ended. */
async function intercept(
  page: Page,
  asked: Asked,
  answer: (route: Route) => Promise<void>,
): Promise<() => Promise<void>> {
  const handler = (route: Route): Promise<void> => (isAsked(route.request(), asked) ? answer(route) : route.fallback())
  await page.route('**/*', handler)
  return () => page.unroute('**/*', handler)
}

interface Refusal {
  readonly code: ErrorCode
  readonly message?: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

export const REQUEST_ID = '0f8b3a52-6f0e-4a55-9d0a-4d9be2f7c311'

/** Refuses requests as `http/errors.ts` does. */
export function refuse(
  page: Page,
  asked: Asked,
  { code, message, details, headers }: Refusal,
): Promise<() => Promise<void>> {
  const error = new ServiceError(code, message, details)
  return intercept(page, asked, (route) =>
    route.fulfill({
      status: error.status,
      contentType: 'application/json; charset=utf-8',
      headers: { 'x-request-id': REQUEST_ID, ...headers },
      body: JSON.stringify({ errors: [error.toWire()] }),
    }),
  )
}

export const tooMany = (seconds: number): Refusal => {
  const reset = new Date(Date.now() + seconds * 1000).toISOString()
  return {
    code: 'REQUESTS_EXCEEDED',
    message: `Too many requests. Try again after ${reset}.`,
    details: { limit: 50, reset },
    headers: { 'retry-after': String(seconds) },
  }
}

export const away: Refusal = { code: 'SERVICE_UNAVAILABLE', headers: { 'retry-after': '1' } }
export const broken: Refusal = { code: 'INTERNAL_SERVER_ERROR' }

/** No answer comes at all. */
export const lose = (page: Page, asked: Asked): Promise<() => Promise<void>> =>
  intercept(page, asked, (route) => route.abort('connectionrefused'))

/** Requests wait until they are let go. */
export async function hold(page: Page, asked: Asked): Promise<() => Promise<void>> {
  const gate = Promise.withResolvers<undefined>()
  const end = await intercept(page, asked, async (route) => {
    await gate.promise
    await route.continue().catch(() => undefined)
  })
  return async () => {
    gate.resolve(undefined)
    await end()
  }
}
