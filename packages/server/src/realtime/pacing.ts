/** Sends what a connection is told. */
export type Pace = (send: () => void) => void

/** Milliseconds between two messages. */
const GAP = 20
/** Who is told more than so many at once is told all of them. */
const MOST_WAITING = 4

/**
 * Clients that listen for one message at a time, as the SDK of Directus does, lose the second of two that arrive together.
 * So the second one waits a moment. A stream of many is not held up.
 */
export function createPace(): Pace {
  const waiting: (() => void)[] = []
  let last = -GAP
  let timer: NodeJS.Timeout | null = null

  const sendNext = () => {
    timer = null
    last = performance.now()
    waiting.shift()?.()
    if (waiting.length > 0) later()
  }
  const later = () => {
    timer ??= setTimeout(sendNext, Math.max(1, last + GAP - performance.now()))
  }

  return (send) => {
    if (waiting.length === 0 && performance.now() - last >= GAP) {
      last = performance.now()
      send()
      return
    }
    waiting.push(send)
    if (waiting.length <= MOST_WAITING) return later()
    if (timer !== null) clearTimeout(timer)
    timer = null
    last = performance.now()
    for (const next of waiting.splice(0)) next()
  }
}
