/** Destroys the connection of an attempt and goes on to the next server; without effect once the attempt has ended. */
type GiveUp = (error: unknown) => void

/** The servers of a pool: the last one that worked is tried first, or each in turn. */
export interface ServerList<T> {
  /**
   * Calls `attempt` with one server after another, beginning with the one whose turn it is. `attempt` calls `worked`
   * when its connection is ready for statements and `next` when its server cannot be used; it returns how to give it
   * up. After the last server, `failed` is called with the error of the first.
   */
  readonly open: (
    attempt: (server: T, worked: () => void, next: (error: unknown) => void) => GiveUp,
    failed: (error: unknown) => void,
  ) => void
}

const tooSlow = (timeout: number) =>
  Object.assign(new Error(`the connection was not ready within ${timeout} ms`), { code: 'ETIMEDOUT' })

/**
 * `timeout` is for all that happens before the first statement of a request. The drivers' own timeouts end with the first
 * bytes of the server, and one that then says nothing would take a place of the pool for good.
 */
export function createServerList<T>(servers: readonly [T, ...T[]], timeout: number, isSpread = false): ServerList<T> {
  let preferred = 0
  return {
    open(attempt, failed) {
      const first = preferred
      if (isSpread) preferred = (first + 1) % servers.length
      const tryAt = (tried: number, firstError: unknown): void => {
        const at = (first + tried) % servers.length
        const timer = setTimeout(() => giveUp(tooSlow(timeout)), timeout)
        const worked = () => {
          clearTimeout(timer)
          if (!isSpread) preferred = at
        }
        const giveUp = attempt(servers[at]!, worked, (error) => {
          clearTimeout(timer)
          const reported = tried === 0 ? error : firstError
          if (tried + 1 < servers.length) tryAt(tried + 1, reported)
          else failed(reported)
        })
      }
      tryAt(0, undefined)
    },
  }
}
