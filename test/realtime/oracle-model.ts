/** An independent model of what a subscriber sees: rows in memory, rules as functions. It shares no code with the service. */
export interface Row {
  readonly id: number
  readonly title: string
  readonly status: string | null
  readonly score: number | null
}

export type Condition = Readonly<Record<string, unknown>>

export interface Rights {
  /** Rows of which everything is seen. */
  readonly whole: Condition
  /** Rows of which key and title are seen. */
  readonly part: Condition
  /** Rows of which the title is seen, but not the key. */
  readonly blind: Condition
}

/** A row as somebody sees it. */
export interface SeenRow extends Omit<Row, 'id'> {
  readonly id: number | null
}

export const FIELDS = ['id', 'title', 'status', 'score'] as const

/** A generator of numbers that is the same for the same seed. */
export function createRandom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (most: number) => Math.floor(next() * most)
  const pick = <T>(list: readonly T[]): T => {
    const found = list[below(list.length)]
    if (found === undefined) throw new TypeError('nothing to pick from')
    return found
  }
  return { below, pick, isOnce: (in_: number) => below(in_) === 0 }
}

export type Random = ReturnType<typeof createRandom>

export const STATUSES = ['open', 'closed', 'kept', null] as const
export const SCORES = [0, 1, 2, 3, null] as const

export function randomCondition(random: Random, depth = 2): Condition {
  if (depth > 0 && random.isOnce(3)) {
    const parts = [randomCondition(random, depth - 1), randomCondition(random, depth - 1)]
    return random.isOnce(2) ? { _and: parts } : { _or: parts }
  }
  return random.pick<() => Condition>([
    () => ({ score: { _eq: random.below(4) } }),
    () => ({ score: { _in: [random.below(4), random.below(4)] } }),
    () => ({ score: { _gt: random.below(3) } }),
    () => ({ status: { _eq: random.pick(['open', 'closed', 'kept']) } }),
    () => ({ status: { _null: true } }),
    () => ({ status: { _nnull: true } }),
    () => ({ id: { _lt: random.below(60) } }),
  ])()
}

export function holds(condition: Condition, row: SeenRow): boolean {
  return Object.entries(condition).every(([name, value]) => {
    if (name === '_and') return (value as Condition[]).every((part) => holds(part, row))
    if (name === '_or') return (value as Condition[]).some((part) => holds(part, row))
    return Object.entries(value as object).every(([operator, operand]) =>
      compares(operator, row[name as keyof SeenRow], operand),
    )
  })
}

/** Nothing compares with NULL. */
function compares(operator: string, value: string | number | null, operand: unknown): boolean {
  if (operator === '_null') return value === null
  if (value === null) return false
  switch (operator) {
    case '_nnull':
      return true
    case '_eq':
      return value === operand
    case '_in':
      return (operand as unknown[]).includes(value)
    case '_gt':
      return value > (operand as string | number)
    case '_lt':
      return value < (operand as string | number)
    default:
      throw new TypeError(`the model has no ${operator}`)
  }
}

/** The row as a subscriber sees it; null: it does not. `rights` null: an administrator. */
export function seen(row: Row | undefined, rights: Rights | null, filter: Condition | null): SeenRow | null {
  if (row === undefined) return null
  const shown = rights === null ? row : shownBy(rights, row)
  return shown !== null && (filter === null || holds(filter, shown)) ? shown : null
}

function shownBy(rights: Rights, row: Row): SeenRow | null {
  if (holds(rights.whole, row)) return row
  const { id, title } = row
  if (holds(rights.part, row)) return { id, title, status: null, score: null }
  return holds(rights.blind, row) ? { id: null, title, status: null, score: null } : null
}
