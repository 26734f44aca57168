/** Estimates how long a newcomer waits in a queue, from how fast the queue has moved lately. */
export interface QueueWait {
  /** One has joined the queue. */
  joined(clock: number): void
  /** One has left the queue to be served. */
  served(): void
  /** Called every tenth of a second or so. */
  tick(clock: number, length: number): void
  /** Milliseconds that a newcomer would wait behind so many others; 0 while too little is known. */
  expected(clock: number, length: number): number
}

/** The shortest time that is looked back on, unless much was served in less. Slow queues are judged by more. */
const RECENT = 500
const LONGEST = 5000
const BETWEEN_MARKS = 100
/** The most time that counts between two looks: while the event loop is late nothing can be served, however fast the servers are. */
const LATE = 200

interface Mark {
  readonly at: number
  /** How many had been served by then. */
  readonly total: number
}

/** `servers`: how many are served at the same time. */
export function createQueueWait(servers: number): QueueWait {
  const enough = 2 * servers
  let total = 0
  /** The time up to the last look, without that in which the event loop was late. */
  let seen = 0
  let looked = 0
  /** Since the queue was last empty, oldest first. */
  let marks: Mark[] = []
  /** What is looked back on begins here; null: the queue is empty. */
  let base: Mark | null = null

  const timeAt = (clock: number): number => seen + Math.min(clock - looked, LATE)

  return {
    joined(clock) {
      if (base !== null) return
      base = { at: timeAt(clock), total }
      marks = [base]
    },
    served() {
      total += 1
    },
    tick(clock, length) {
      seen = timeAt(clock)
      looked = clock
      if (length === 0) {
        base = null
        return
      }
      if (base === null || seen - (marks.at(-1)?.at ?? 0) < BETWEEN_MARKS) return
      while (marks.length > 1 && seen - marks[1]!.at >= LONGEST) marks.shift()
      base = marks.findLast((mark) => seen - mark.at >= RECENT && total - mark.total >= enough) ?? marks[0] ?? base
      marks.push({ at: seen, total })
    },
    expected(clock, length) {
      if (base === null || length === 0) return 0
      const time = timeAt(clock) - base.at
      const count = total - base.total
      if (count < enough && time < RECENT) return 0
      // If nothing was served, each server has been busy for at least that long, and the newcomer waits as long again.
      return count === 0 ? time * Math.max(1, length / servers) : (time * length) / Math.max(count, servers)
    },
  }
}
