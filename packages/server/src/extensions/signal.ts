/** Wakes those who wait for something new. */
export interface Signal {
  readonly tell: () => void
  /** How often something was told. */
  readonly count: () => number
  /** Waits for something that is not in the count, or for this long. */
  readonly next: (count: number, milliseconds: number) => Promise<void>
  /** Waits this long, whatever is told. */
  readonly pause: (milliseconds: number) => Promise<void>
}

/** Nobody waits any more once `stop` is aborted. */
export function createSignal(stop: AbortSignal): Signal {
  const waiting = new Set<() => void>()
  let told = 0
  const wait = (milliseconds: number, isWoken: boolean) =>
    new Promise<void>((resolve) => {
      if (stop.aborted) return resolve()
      const end = () => {
        clearTimeout(timer)
        waiting.delete(end)
        stop.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, milliseconds)
      timer.unref()
      stop.addEventListener('abort', end)
      if (isWoken) waiting.add(end)
    })
  return {
    tell: () => {
      told += 1
      for (const wake of waiting) wake()
    },
    count: () => told,
    next: (count, milliseconds) => (count === told ? wait(milliseconds, true) : Promise.resolve()),
    pause: (milliseconds) => wait(milliseconds, false),
  }
}
