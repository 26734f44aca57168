/** The place of a connection among those of its process. */
export interface Place {
  /** Counts the connection for a user or an address. False: that holder has no further place, and nothing changes. */
  readonly hold: (holder: string) => boolean
  readonly leave: () => void
}

export interface Places {
  /** null: there is no place left. */
  readonly take: (most: number | null, kind: string) => Place | null
  readonly count: () => number
}

/** Who is counted: a user, or an address for callers who are not signed in. */
export const holderOf = (user: string | null, address: string | null): string =>
  user === null ? `address ${address ?? ''}` : `user ${user}`

/** Counts connections, by kind and by holder. */
export function createPlaces(mostOfHolder: number): Places {
  const kinds = new Map<string, number>()
  const holders = new Map<string, number>()
  let all = 0

  function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
    const count = (counts.get(key) ?? 0) + change
    if (count === 0) counts.delete(key)
    else counts.set(key, count)
  }

  return {
    count: () => all,
    take(most, kind) {
      if (most !== null && (kinds.get(kind) ?? 0) >= most) return null
      add(kinds, kind, 1)
      all += 1
      let held: string | null = null
      let isLeft = false
      return {
        hold(holder) {
          if (isLeft) return false
          if (holder === held) return true
          if ((holders.get(holder) ?? 0) >= mostOfHolder) return false
          if (held !== null) add(holders, held, -1)
          add(holders, holder, 1)
          held = holder
          return true
        },
        leave() {
          if (isLeft) return
          isLeft = true
          all -= 1
          add(kinds, kind, -1)
          if (held !== null) add(holders, held, -1)
        },
      }
    },
  }
}
