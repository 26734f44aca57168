import { setTimeout as sleep } from 'node:timers/promises'

/** Runs work with a minimum duration, whether it succeeds or fails, so that its timing reveals nothing. */
export async function atLeast<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const until = performance.now() + milliseconds
  try {
    return await work()
  } finally {
    const rest = until - performance.now()
    if (rest > 0) await sleep(rest)
  }
}
