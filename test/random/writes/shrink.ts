import type { WriteRequest } from './predict.ts'

/** Every sequence that is one step smaller: one request less, or one part of a body less. */
export function* smallerSequences(requests: readonly WriteRequest[]): Generator<WriteRequest[]> {
  for (const index of requests.keys()) yield requests.toSpliced(index, 1)
  for (const [index, request] of requests.entries())
    for (const body of smallerValues(request.body)) yield requests.with(index, { ...request, body })
}

function* smallerValues(value: unknown): Generator {
  if (Array.isArray(value)) {
    for (const index of value.keys()) yield value.toSpliced(index, 1)
    for (const [index, entry] of value.entries())
      for (const smaller of smallerValues(entry)) yield value.with(index, smaller)
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    for (const index of entries.keys()) yield Object.fromEntries(entries.toSpliced(index, 1))
    for (const [index, [name, entry]] of entries.entries())
      for (const smaller of smallerValues(entry)) yield Object.fromEntries(entries.with(index, [name, smaller]))
  }
}

/** Continues with the first smaller sequence that still fails, until none fails or the attempts are used up. */
export async function shrink<T>(
  requests: readonly WriteRequest[],
  found: T,
  fails: (requests: readonly WriteRequest[]) => Promise<T | null>,
  attempts: number,
): Promise<{ readonly requests: readonly WriteRequest[]; readonly found: T }> {
  let best = { requests, found }
  let left = attempts
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false
    for (const candidate of smallerSequences(best.requests)) {
      if (left-- <= 0) return best
      const difference = await fails(candidate)
      if (difference === null) continue
      best = { requests: candidate, found: difference }
      isSmaller = true
      break
    }
  }
  return best
}
