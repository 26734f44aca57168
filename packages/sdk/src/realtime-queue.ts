/** Events that wait for their reader. */
export interface Queue<T> {
  readonly values: AsyncIterableIterator<T, undefined>
  readonly push: (value: T) => void
  /** Events that are waiting are read first. undefined: it ends without an error. */
  readonly end: (failure?: { readonly error: unknown }) => void
}

const ended = { done: true, value: undefined } as const

/** `onLeave` is called once, when the reader leaves before the end. */
export function createQueue<T>(onLeave: () => void): Queue<T> {
  const waiting: T[] = []
  let end: { readonly error: unknown } | 'quiet' | null = null
  let readers: { resolve: (step: IteratorResult<T, undefined>) => void; reject: (error: unknown) => void }[] = []

  const settle = () => {
    while (readers.length > 0 && (waiting.length > 0 || end !== null)) {
      const reader = readers.shift()
      if (waiting.length > 0) reader?.resolve({ done: false, value: waiting.shift() as T })
      else if (end === 'quiet' || end === null) reader?.resolve(ended)
      else {
        reader?.reject(end.error)
        end = 'quiet'
      }
    }
  }
  const values: AsyncIterableIterator<T, undefined> = {
    next: () =>
      new Promise((resolve, reject) => {
        readers = [...readers, { resolve, reject }]
        settle()
      }),
    async return() {
      waiting.length = 0
      if (end === null) onLeave()
      end = 'quiet'
      settle()
      return ended
    },
    [Symbol.asyncIterator]: () => values,
  }
  return {
    values,
    push(value) {
      if (end !== null) return
      waiting.push(value)
      settle()
    },
    end(failure) {
      end ??= failure ?? 'quiet'
      settle()
    },
  }
}
