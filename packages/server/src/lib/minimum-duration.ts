import { setTimeout as sleep } from 'node:timers/promises'

/** Work that takes at least so long, however it ends, so that its time tells nothing. */
export async function atLeast<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const until = performance.now() + milliseconds
  try {
    return await work()
  } finally {
    const rest = until - performance.now()
    if (rest > 0) await sleep(rest)
  }
}
