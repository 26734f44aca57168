/** Lets so many works run at once and so many wait; whoever comes then is refused. */
export function createConcurrencyLimit(atOnce: number, waiting: number, refusal: () => Error) {
  const queue: (() => void)[] = []
  let running = 0

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (queue.length >= waiting) throw refusal()
      // Whoever ends hands its place over, so that nobody can slip in between.
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
