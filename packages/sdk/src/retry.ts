const FIRST = 200
const LONGEST = 10_000

/** Statuses of requests that may succeed later. */
const later = new Set([429, 502, 503, 504])

export const mayPass = (status: number): boolean => later.has(status)

/** Milliseconds that the service asks for, in seconds or as a date; null: none. */
export function asked(header: string | null, now: number): number | null {
  if (header === null) return null
  const wait = /^\d+$/u.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(wait) ? null : Math.max(wait, 0)
}

/** The wait before an attempt: doubled each time, and random, so that clients do not come back together. */
export const backoff = (attempt: number, random = Math.random()): number =>
  Math.min(FIRST * 2 ** attempt, LONGEST) * (0.5 + random / 2)

/** The work of others that this call waits for: it goes on if the signal aborts, but the call does not wait for it. */
export const orAborted = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason as Error)
    if (signal?.aborted === true) stop()
    signal?.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', stop))
  })

/** Resolves after the time, or rejects as soon as the signal aborts. */
export const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    if (signal?.aborted === true) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
