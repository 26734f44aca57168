/** Work for a host. */
export interface Laned {
  readonly host: string
  /** By the clock of this process: after that it is too late to begin. */
  readonly until: number
}

export interface LaneOptions<T extends Laned> {
  readonly atOnce: number
  readonly perHost: number
  /** Never rejects. */
  readonly work: (entry: T) => Promise<void>
  /** Called each time that something ended. */
  readonly onFree: (host: string) => void
}

/** Works things off, many at once but few for each host, so that a slow host holds up nobody but itself. */
export interface Lanes<T extends Laned> {
  readonly add: (entries: readonly T[]) => void
  /** What waits or is under way for a host. */
  readonly load: (host: string) => number
  /** Drops what waits, and waits for what is under way. */
  readonly stop: () => Promise<void>
}

export function createLanes<T extends Laned>({ atOnce, perHost, work, onFree }: LaneOptions<T>): Lanes<T> {
  const waiting = new Map<string, T[]>()
  const busy = new Map<string, number>()
  const running = new Set<Promise<void>>()
  let isStopped = false

  function begin(entry: T): void {
    const { host } = entry
    busy.set(host, (busy.get(host) ?? 0) + 1)
    const task = work(entry).then(() => {
      running.delete(task)
      const left = (busy.get(host) ?? 1) - 1
      if (left === 0) busy.delete(host)
      else busy.set(host, left)
      fill()
      onFree(host)
    })
    running.add(task)
  }

  /** One of each host in turn. */
  function fill(): void {
    for (let isGoing = true; isGoing;) {
      isGoing = false
      for (const [host, entries] of waiting) {
        if (running.size >= atOnce) return
        if ((busy.get(host) ?? 0) >= perHost) continue
        const entry = entries.shift()
        if (entries.length === 0) waiting.delete(host)
        if (entry === undefined || entry.until < performance.now()) continue
        begin(entry)
        isGoing = true
      }
    }
  }

  return {
    add(entries) {
      if (isStopped) return
      for (const entry of entries) {
        const lane = waiting.get(entry.host)
        if (lane === undefined) waiting.set(entry.host, [entry])
        else lane.push(entry)
      }
      fill()
    },
    load: (host) => (busy.get(host) ?? 0) + (waiting.get(host)?.length ?? 0),
    async stop() {
      isStopped = true
      waiting.clear()
      await Promise.all(running)
    },
  }
}
