/** Values that one side pushes and the other iterates over. */
export interface AsyncQueue<T> {
  /** Returning from it drops what is left, and ends it at once, also while a value is awaited. */
  readonly values: AsyncIterableIterator<T, undefined>
  readonly push: (value: T) => void
  /** The iteration throws this after the values that were pushed before. */
  readonly fail: (error: unknown) => void
}

type Step<T> = IteratorResult<T, undefined>

const ended = { done: true, value: undefined } as const

/** `onEnd` runs once, when the consumer has returned or the error has been thrown. */
export function createAsyncQueue<T>(onEnd: () => void): AsyncQueue<T> {
  let waiting: T[] = []
  let failure: { readonly error: unknown } | null = null
  let isOver = false
  let demand: { readonly resolve: (step: Step<T>) => void; readonly reject: (error: unknown) => void } | null = null

  const end = () => {
    if (isOver) return
    isOver = true
    waiting = []
    onEnd()
  }
  const settle = () => {
    if (demand === null) return
    const { resolve, reject } = demand
    const [first] = waiting
    if (isOver) resolve(ended)
    else if (first !== undefined) resolve({ done: false, value: waiting.shift() as T })
    else if (failure !== null) {
      end()
      reject(failure.error)
    } else return
    demand = null
  }
  const values: AsyncIterableIterator<T, undefined> = {
    next: () =>
      new Promise((resolve, reject) => {
        demand = { resolve, reject }
        settle()
      }),
    return: async () => {
      end()
      settle()
      return ended
    },
    throw: async (error) => {
      end()
      settle()
      throw error
    },
    [Symbol.asyncIterator]: () => values,
  }
  return {
    values,
    push: (value) => {
      if (isOver || failure !== null) return
      waiting.push(value)
      settle()
    },
    fail: (error) => {
      failure ??= { error }
      settle()
    },
  }
}
