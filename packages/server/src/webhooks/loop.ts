import type { Observe } from '../observe.ts'

/** The longest pause: what another replica has done is seen after it. */
export const IDLE = 1000

export interface Loop {
  readonly wake: () => void
  /** Waits for the work under way. */
  readonly stop: () => Promise<void>
}

/** Runs work again and again: at once when it is woken, otherwise after as long as the work says. */
export function createLoop(work: () => Promise<number>, observe: Observe): Loop {
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> | null = null
  let isWoken = false
  let isStopped = false

  async function once(): Promise<number> {
    try {
      return await work()
    } catch (error) {
      if (!isStopped) observe({ kind: 'webhooks-failed', error })
      isWoken = false
      return IDLE
    }
  }

  async function run(): Promise<void> {
    let wait = 0
    // Not by calling itself: while work never ends, each call would be kept for the next.
    do {
      isWoken = false
      wait = await once()
      if (isStopped) return
    } while (isWoken || wait === 0)
    running = null
    timer = setTimeout(begin, wait)
    timer.unref()
  }

  function begin(): void {
    if (timer !== null) clearTimeout(timer)
    running ??= run()
  }

  return {
    wake() {
      isWoken = true
      if (!isStopped) begin()
    },
    async stop() {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
      await running
    },
  }
}
