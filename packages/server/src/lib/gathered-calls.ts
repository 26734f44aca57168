/** Milliseconds after which calls no longer wait for the one before: its connection may be lost. */
const PATIENCE = 100

interface Waiting<V> {
  readonly resolve: (value: V | undefined) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Calls that come while a lookup is under way are answered together by the next one. It starts after all of them, so each
 * sees what is new since it was made.
 */
export function gatheredCalls<K, V>(
  lookUp: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
): (key: K) => Promise<V | undefined> {
  let waiting = new Map<K, Waiting<V>[]>()
  let underWay = 0
  let timer: NodeJS.Timeout | undefined

  function start(): void {
    clearTimeout(timer)
    timer = undefined
    if (waiting.size === 0) return
    const calls = waiting
    waiting = new Map()
    underWay += 1
    lookUp([...calls.keys()])
      .finally(() => {
        underWay -= 1
      })
      .then(
        (found) => {
          for (const [key, each] of calls) for (const { resolve } of each) resolve(found.get(key))
        },
        (error: unknown) => {
          for (const each of calls.values()) for (const { reject } of each) reject(error)
        },
      )
      .finally(() => {
        if (underWay === 0) start()
      })
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const others = waiting.get(key)
      if (others === undefined) waiting.set(key, [{ resolve, reject }])
      else others.push({ resolve, reject })
      if (underWay === 0) start()
      else timer ??= setTimeout(start, PATIENCE)
    })
}
