/** A small seeded generator, so that a case can be replayed from its numbers alone. */
export interface Rng {
  /** A number in [0, 1). */
  next(): number
  /** A whole number in [low, high]. */
  int(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Picks by weight; the weights need not add up to one. */
  weighted<T>(list: readonly (readonly [weight: number, value: T])[]): T
  shuffle<T>(list: readonly T[]): T[]
  /** Between low and high distinct members, or all if there are fewer. */
  sample<T>(list: readonly T[], low: number, high: number): T[]
}

export function createRng(...seeds: readonly number[]): Rng {
  let state = 0x9e3779b9
  for (const seed of seeds) state = mix(state ^ mix(seed >>> 0)) + 0x6d2b79f5
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    return (mix(state) >>> 0) / 4294967296
  }
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  const shuffle = <T>(list: readonly T[]): T[] => {
    const copy = [...list]
    for (let i = copy.length - 1; i > 0; i--) {
      const j = int(0, i)
      const held = copy[i]!
      copy[i] = copy[j]!
      copy[j] = held
    }
    return copy
  }
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (list) => {
      if (list.length === 0) throw new Error('nothing to pick from')
      return list[int(0, list.length - 1)]!
    },
    weighted: (list) => pickWeighted(list, next()),
    shuffle,
    sample: (list, low, high) => shuffle(list).slice(0, int(low, high)),
  }
}

function pickWeighted<T>(list: readonly (readonly [number, T])[], fraction: number): T {
  let rest = fraction * list.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, value] of list) {
    rest -= weight
    if (rest < 0) return value
  }
  return list.at(-1)![1]
}

function mix(value: number): number {
  let t = value | 0
  t = Math.imul(t ^ (t >>> 15), t | 1)
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
  return (t ^ (t >>> 14)) | 0
}
