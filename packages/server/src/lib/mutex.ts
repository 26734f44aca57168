/** Lets in one caller at a time, in order of arrival. */
export interface Mutex {
  /** Waits for all earlier callers; the returned function releases the mutex. */
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
