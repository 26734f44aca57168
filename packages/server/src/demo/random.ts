/** Random numbers that depend on the seed alone, so that the demo shop is the same on every machine. */
export interface Random {
  /** A whole number from 0 up to, but not including, `below`. */
  readonly below: (below: number) => number
  readonly pick: <T>(from: readonly T[]) => T
  /** True in this share of the cases. */
  readonly chance: (share: number) => boolean
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Every row has a generator of its own (mulberry32): any row can be computed without the rows before it. */
export function randomOf(table: string, row: number): Random {
  let state = (hashOf(table) + Math.imul(row, 0x9e3779b9)) >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (most: number) => Math.floor(next() * most)
  return {
    below,
    pick: (from) => {
      const found = from[below(from.length)]
      if (found === undefined) throw new RangeError('there is nothing to pick from')
      return found
    },
    chance: (share) => next() < share,
  }
}
