import type { ItemQuery } from '../api/items.ts'
import { keyOf, type Row } from '../model/key.ts'
import { CUT, type RowSource, type SourceQuery, type SourceSnapshot } from './row-source.ts'
import { chainOf, endOf, shifted, windowAt, withWindow, type Window } from './window.ts'
import { keyPaths } from '../model/key.ts'

const SIZE = 200
const KEPT = 20
/** Counting ends here by itself; more only when asked. */
const COUNTED = 10_000
/** A drag passes many places: only where it rests is asked for. */
const REST = 40
/** How long ahead rows are read, in seconds of scrolling. */
const AHEAD = 1.2

interface Answer {
  readonly data: readonly Row[]
  readonly meta: Readonly<Record<string, unknown>>
  readonly milliseconds: number
}

/** Reads rows, as `readItems` of the API does. */
export type Read = (collection: SourceQuery['collection'], query: ItemQuery, signal?: AbortSignal) => Promise<Answer>

type Way =
  | { readonly kind: 'start'; readonly cursor: string | null; readonly isPlaced: boolean }
  | { readonly kind: 'cursor'; readonly cursor: string; readonly isBackward: boolean; readonly from: Window }
  | { readonly kind: 'jump' }

interface Load {
  readonly start: number
  readonly way: Way
  readonly abort: AbortController
}

/** The rows of a view in windows of 200: neighbours by cursor, far places by their share of all rows. */
export function createRows(query: SourceQuery, read: Read): RowSource {
  const { collection } = query
  const hasKey = collection.key.length > 0
  const isNarrowed = query.filter !== null || query.search !== ''
  const listeners = new Set<() => void>()
  const pending = new Map<string, Row>()
  const keys = new WeakMap<Row, string | null>()
  let windows: readonly Window[] = []
  let loads: readonly Load[] = []
  let shown = { first: 0, last: 60, speed: 0 }
  // taken for granted until the service refuses, as it may for views
  let canSeek = true
  let hasCursor = true
  let isStopped = false
  let resting: ReturnType<typeof setTimeout> | null = null
  let snapshot: SourceSnapshot = {
    state: 'loading',
    error: null,
    isReloading: false,
    total: 0,
    isExact: false,
    isPlaceEstimated: false,
    shift: 0,
    milliseconds: null,
    readAt: null,
  }

  function tell(change: Partial<SourceSnapshot>): void {
    snapshot = { ...snapshot, ...change, isPlaceEstimated: isPlaceEstimated() }
    for (const listen of listeners) listen()
  }

  const isPlaceEstimated = (): boolean =>
    (windowAt(windows, shown.first) ?? windowAt(windows, shown.last - 1))?.isPlaced === false

  const base = (): ItemQuery => ({
    fields: query.fields,
    sort: query.sort,
    limit: SIZE,
    cut: CUT,
    meta: [...(hasCursor ? ['cursor'] : []), ...(hasKey ? ['etag'] : [])],
    ...(query.filter === null ? {} : { filter: query.filter }),
    ...(query.search === '' ? {} : { search: query.search }),
  })

  function asked({ start, way }: Load): ItemQuery {
    if (way.kind !== 'jump' && way.cursor !== null) return { ...base(), cursor: way.cursor }
    if (start === 0) return base()
    const isFar = snapshot.total > COUNTED
    if (canSeek && hasCursor && isFar) return { ...base(), seek: Math.min(1, start / snapshot.total) }
    return { ...base(), offset: start }
  }

  async function load(start: number, way: Way): Promise<void> {
    if (loads.some((each) => each.start === start && each.way.kind === way.kind)) return
    const self: Load = { start, way, abort: new AbortController() }
    loads = [...loads, self]
    const wire = asked(self)
    try {
      const answer = await read(collection, wire, self.abort.signal)
      loads = loads.filter((each) => each !== self)
      if (!self.abort.signal.aborted) arrived(self, wire, answer)
    } catch (error) {
      loads = loads.filter((each) => each !== self)
      if (self.abort.signal.aborted) return
      if (isRefusal(error) && wire.seek !== undefined) canSeek = false
      else if (isRefusal(error) && hasCursor && wire.cursor === undefined) hasCursor = false
      else return tell({ state: 'failed', error, isReloading: false })
      if (way.kind === 'start') return load(start, way)
    }
    pump()
  }

  function arrived(self: Load, wire: ItemQuery, { data, meta, milliseconds }: Answer): void {
    const { way } = self
    if (way.kind === 'start') windows = []
    const place = (meta['position'] ?? {}) as { readonly row?: number | null }
    const row = wire.seek === undefined ? null : (place.row ?? null)
    const start =
      way.kind === 'cursor' && way.isBackward ? way.from.start - data.length : row === null ? self.start : row
    const etags = Array.isArray(meta['etags']) ? (meta['etags'] as readonly (string | null)[]) : []
    const isPlaced =
      way.kind === 'cursor'
        ? way.from.isPlaced
        : way.kind === 'start' && way.cursor !== null
          ? way.isPlaced
          : wire.seek === undefined || row !== null
    const isLast = hasCursor ? typeof meta['next_cursor'] !== 'string' : data.length < SIZE
    const window: Window = {
      start,
      rows: data.map(withPending),
      etags,
      next: typeof meta['next_cursor'] === 'string' ? meta['next_cursor'] : null,
      previous: typeof meta['prev_cursor'] === 'string' ? meta['prev_cursor'] : null,
      isPlaced,
    }
    if (data.length > 0) windows = withWindow(windows, window, KEPT)
    const isFirst = hasCursor ? window.previous === null && data.length > 0 : start === 0
    const moved = corrected(window, isFirst, isLast && !(way.kind === 'cursor' && way.isBackward), data.length)
    tell({ ...moved, state: 'ready', error: null, isReloading: false, milliseconds, readAt: Date.now() })
    if (way.kind === 'start' && !snapshot.isExact) void estimate()
  }

  /** What the ends of the sheet teach: places and the total are put right there. */
  function corrected(window: Window, isFirst: boolean, isLast: boolean, count: number): Partial<SourceSnapshot> {
    const before = snapshot
    if (count === 0)
      return window.isPlaced && window.start < before.total ? { total: window.start, isExact: window.start === 0 } : {}
    const by = isFirst ? -window.start : isLast && before.isExact ? before.total - endOf(window) : 0
    const isPlaced = window.isPlaced || isFirst || (isLast && before.isExact)
    if (by !== 0 || isPlaced !== window.isPlaced) {
      const chain = chainOf(windows, window)
      const moved = chain.map((each) => shifted(each, by, isPlaced))
      windows = by === 0 ? windows.map((each) => moved[chain.indexOf(each)] ?? each) : moved
    }
    const end = endOf(window) + by
    const total = isLast ? end : Math.max(before.total, end + (before.isExact ? 0 : 1))
    return { total, isExact: before.isExact || (isLast && isPlaced), shift: before.shift + by }
  }

  /** How many rows there are: counted up to a limit, beyond it from the statistics of the database. */
  async function estimate(): Promise<void> {
    try {
      const { meta } = await read(collection, {
        ...base(),
        fields: [...keyPaths(collection), ...query.fields].slice(0, 1),
        limit: 1,
        meta: isNarrowed ? ['filter_count'] : ['filter_count', 'estimated_count'],
        count_up_to: COUNTED,
      })
      const counted = Number(meta['filter_count'] ?? 0)
      const isCapped = ((meta['capped_counts'] ?? []) as readonly string[]).includes('filter_count')
      if (!isCapped) return tell({ total: counted, isExact: true })
      tell({ total: Math.max(counted, Number(meta['estimated_count'] ?? 0), lastEnd()) })
    } catch {
      // the rows are there; their number grows as they are read
    }
    pump()
  }

  const lastEnd = (): number => Math.max(0, ...windows.map(endOf))

  /** The key of a row, made once: every frame asks for those in view. */
  function keyFor(row: Row): string | null {
    const known = keys.get(row)
    if (known !== undefined) return known
    const key = keyOf(collection, row)
    keys.set(row, key)
    return key
  }

  const withPending = (row: Row): Row => {
    const change = pending.get(keyFor(row) ?? '')
    return change === undefined ? row : { ...row, ...change }
  }

  /** Loads what is missing in view, then ahead of it. */
  function pump(): void {
    if (snapshot.state === 'failed') return
    const { first, last, speed } = shown
    const ahead = Math.min(2 * SIZE, Math.max(SIZE / 2, Math.abs(speed) * AHEAD))
    const from = Math.max(0, first - (speed < 0 ? ahead : SIZE / 4))
    const to = Math.min(snapshot.total, last + (speed < 0 ? SIZE / 4 : ahead))
    for (const each of loads) {
      const isFar = each.start + SIZE < from - SIZE || each.start > to + SIZE
      if (each.way.kind !== 'start' && isFar) each.abort.abort()
    }
    loads = loads.filter(({ abort }) => !abort.signal.aborted)
    if (loads.some(({ way }) => way.kind === 'start')) return
    const missing = firstMissing(first, Math.min(last, snapshot.total))
    if (missing !== null && !isNear(missing)) return rest()
    const reach = missing === null ? last : last + SIZE
    if (speed < 0) {
      extendBack(from, reach)
      extend(first, to)
    } else {
      extend(first, to)
      extendBack(from, reach)
    }
  }

  const firstMissing = (from: number, to: number): number | null => {
    for (let index = from; index < to;) {
      const window = windowAt(windows, index)
      if (window === undefined) return index
      index = endOf(window)
    }
    return null
  }

  /** Whether a place can be reached from a neighbour by its cursor. */
  const isNear = (index: number): boolean =>
    windows.some(
      (each) =>
        (each.next !== null && index >= each.start && index < endOf(each) + SIZE) ||
        (each.previous !== null && index < each.start && index >= each.start - SIZE),
    )

  function extend(from: number, to: number): void {
    const missing = firstMissing(from, to)
    if (missing === null) return
    const before = windows.findLast((each) => endOf(each) <= missing && missing < endOf(each) + SIZE)
    if (before === undefined) return
    if (before.next !== null)
      void load(endOf(before), { kind: 'cursor', cursor: before.next, isBackward: false, from: before })
    else if (!hasCursor) void load(missing, { kind: 'jump' })
  }

  function extendBack(from: number, to: number): void {
    const after = windows.find((each) => each.start > from && each.start <= to && !windowAt(windows, each.start - 1))
    if (after === undefined) return
    const start = Math.max(0, after.start - SIZE)
    if (after.previous !== null)
      void load(start, { kind: 'cursor', cursor: after.previous, isBackward: true, from: after })
    else if (!hasCursor) void load(start, { kind: 'jump' })
  }

  /** Jumps to what is in view once it stays there. */
  function rest(): void {
    if (resting !== null) clearTimeout(resting)
    resting = setTimeout(() => {
      resting = null
      const { first, last } = shown
      const missing = firstMissing(first, Math.min(last, snapshot.total))
      if (missing === null) return
      const start = Math.max(0, Math.min(first - SIZE / 4, snapshot.total - SIZE))
      for (const each of loads) if (each.way.kind === 'jump' && each.start !== start) each.abort.abort()
      void load(start, { kind: 'jump' })
    }, REST)
  }

  /** Reads what is in view anew: the same rows again, where a cursor leads to them. */
  function begin(): void {
    for (const each of loads) each.abort.abort()
    loads = []
    const inView = windowAt(windows, shown.first)
    const before = inView === undefined ? undefined : windowAt(windows, inView.start - 1)
    const cursor = before?.next ?? null
    const start = inView === undefined || (cursor === null && !inView.isPlaced) ? 0 : inView.start
    void load(start, { kind: 'start', cursor, isPlaced: inView?.isPlaced ?? true })
  }

  const found = (key: string): { readonly window: Window; readonly at: number } | null => {
    for (const window of windows) {
      const at = window.rows.findIndex((row) => keyFor(row) === key)
      if (at >= 0) return { window, at }
    }
    return null
  }

  begin()
  return {
    query,
    subscribe: (listen) => {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
    snapshot: () => snapshot,
    row: (index) => {
      const window = windowAt(windows, index)
      return window?.rows[index - window.start]
    },
    etag: (index) => {
      const window = windowAt(windows, index)
      return window?.etags[index - window.start] ?? null
    },
    key: (index) => {
      const window = windowAt(windows, index)
      const row = window?.rows[index - window.start]
      return row === undefined ? null : keyFor(row)
    },
    rowOf: (key) => {
      const place = found(key)
      return place?.window.rows[place.at]
    },
    indexOf: (key) => {
      const place = found(key)
      return place === null ? null : place.window.start + place.at
    },
    loadedKeys: () => windows.flatMap(({ rows }) => rows.flatMap((row) => keyFor(row) ?? [])),
    view: (first, last, speed) => {
      shown = { first, last, speed }
      if (isPlaceEstimated() !== snapshot.isPlaceEstimated) tell({})
      pump()
    },
    countExactly: async (signal) => {
      const { meta } = await read(collection, { ...base(), limit: 1, meta: ['filter_count'] }, signal)
      const total = Number(meta['filter_count'] ?? 0)
      tell({ total, isExact: true })
      return total
    },
    reload: () => {
      // a failure is shown until there is something else to show; who stopped it wants to see it begin again
      tell({ isExact: false, isReloading: true, ...(isStopped ? { state: 'loading', error: null } : {}) })
      isStopped = false
      begin()
    },
    stop: (reason) => {
      for (const each of loads) each.abort.abort()
      loads = []
      isStopped = windows.length === 0
      tell({ state: 'failed', error: reason, isReloading: false })
    },
    put: (key, change, etag) => {
      if (etag === null) pending.set(key, { ...pending.get(key), ...change })
      else pending.delete(key)
      const place = found(key)
      if (place === null) return
      const { window, at } = place
      windows = windows.map((each) =>
        each === window
          ? {
              ...each,
              rows: each.rows.with(at, { ...each.rows[at], ...change }),
              etags: etag === null ? each.etags : each.etags.with(at, etag),
            }
          : each,
      )
      tell({})
    },
    dispose: () => {
      if (resting !== null) clearTimeout(resting)
      for (const each of loads) each.abort.abort()
      loads = []
    },
  }
}

const isRefusal = (error: unknown): boolean => (error as { readonly status?: unknown } | null)?.status === 400
