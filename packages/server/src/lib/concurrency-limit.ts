/** Limits how many tasks run at once and how many wait; further tasks are rejected. */
export function createConcurrencyLimit(atOnce: number, waiting: number, refusal: () => Error) {
  const queue: (() => void)[] = []
  let running = 0

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (queue.length >= waiting) throw refusal()
      // A finished task passes its place to the next waiting task, so that no new task can slip in between.
      await new Promise<void>((resolve) => queue.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
