/** Calls that come while one is under way share one more, which starts after it and so sees what is new since they came. */
export function sharedCalls<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  let next: Promise<T> | null = null

  const call = (): Promise<T> => {
    if (running === null) {
      running = work().finally(() => {
        running = null
      })
      return running
    }
    next ??= running
      .catch(() => null)
      .then(() => {
        next = null
        return call()
      })
    return next
  }
  return call
}
