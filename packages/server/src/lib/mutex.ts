/** A queue for those who would only get in each other's way. */
export interface Mutex {
  /** Waits for everybody who came before; the function it gives lets the next one in. */
  take(): Promise<() => void>
}

export function createMutex(): Mutex {
  let last: Promise<void> = Promise.resolve()
  return {
    async take() {
      const before = last
      const { promise, resolve } = Promise.withResolvers<void>()
      last = promise
      await before
      return resolve
    },
  }
}
