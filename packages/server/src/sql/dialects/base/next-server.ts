/** The servers of a pool: the last one that worked is tried first, or each in turn. */
export interface ServerList<T> {
  /**
   * Calls `attempt` with one server after another, beginning with the one whose turn it is. `attempt` calls `next` when
   * its server cannot be used; after the last server, `failed` is called with the error of the first.
   */
  readonly open: (
    attempt: (server: T, worked: () => void, next: (error: unknown) => void) => void,
    failed: (error: unknown) => void,
  ) => void
}

export function createServerList<T>(servers: readonly [T, ...T[]], isSpread = false): ServerList<T> {
  let preferred = 0
  return {
    open(attempt, failed) {
      const first = preferred
      if (isSpread) preferred = (first + 1) % servers.length
      const tryAt = (tried: number, firstError: unknown): void => {
        const at = (first + tried) % servers.length
        const worked = () => {
          if (!isSpread) preferred = at
        }
        attempt(servers[at]!, worked, (error) => {
          const reported = tried === 0 ? error : firstError
          if (tried + 1 < servers.length) tryAt(tried + 1, reported)
          else failed(reported)
        })
      }
      tryAt(0, undefined)
    },
  }
}
