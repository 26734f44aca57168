import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ItemQuery } from '../api/items.ts'
import type { Row } from '../model/key.ts'
import { orders } from './fixtures.ts'
import { createRows, type Read } from './rows.ts'

/** A table of ids from 0, answered as the service does. Cursors are places with a direction. */
function tableOf(size: number, options: { readonly canSeek?: boolean; readonly skew?: number } = {}) {
  const asked: ItemQuery[] = []
  const signals: (AbortSignal | undefined)[] = []
  const state = { size, isDown: false }
  const read: Read = (_, query, signal) => {
    asked.push(query)
    signals.push(signal)
    if (state.isDown) return Promise.reject(Object.assign(new Error('No answer'), { status: 0 }))
    if (query.seek !== undefined && options.canSeek === false)
      return Promise.reject(Object.assign(new Error('No seek'), { status: 400 }))
    const limit = query.limit ?? 100
    const [way = '', place = '0'] = (query.cursor ?? '').split(' ')
    const sought = Math.round((query.seek ?? 0) * state.size) + (options.skew ?? 0)
    let from = query.cursor === undefined ? (query.offset ?? (query.seek === undefined ? 0 : sought)) : Number(place)
    let to = Math.min(state.size, from + limit)
    if (way === 'before') [from, to] = [Math.max(0, Number(place) - limit), Number(place)]
    from = Math.max(0, Math.min(from, state.size))
    const data = Array.from({ length: Math.max(0, to - from) }, (__, index): Row => ({
      id: from + index,
      note: 'read',
    }))
    const isCapped = state.size > (query.count_up_to ?? Infinity)
    return Promise.resolve({
      data,
      milliseconds: 5,
      meta: {
        next_cursor: to < state.size ? `after ${to}` : null,
        prev_cursor: from > 0 ? `before ${from}` : null,
        etags: data.map(() => 'v1'),
        estimated_count: state.size,
        filter_count: Math.min(state.size, query.count_up_to ?? Infinity),
        ...(isCapped ? { capped_counts: ['filter_count'] } : {}),
        ...(query.seek === undefined ? {} : { position: { share: query.seek, row: null } }),
      },
    })
  }
  return { read, asked, signals, state }
}

const query = { collection: orders, fields: ['id', 'note'], filter: null, search: '', sort: ['id'] }
const settled = async (): Promise<void> => {
  await vi.advanceTimersByTimeAsync(100)
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a small table', () => {
  it('is read in one request and known exactly', async () => {
    const { read, asked } = tableOf(50)
    const source = createRows(query, read)
    await settled()
    expect(source.snapshot()).toMatchObject({ state: 'ready', total: 50, isExact: true })
    expect(asked).toHaveLength(1)
    expect(source.row(49)).toEqual({ id: 49, note: 'read' })
    expect(source.row(50)).toBeUndefined()
  })
  it('is empty when there is nothing', async () => {
    const source = createRows(query, tableOf(0).read)
    await settled()
    expect(source.snapshot()).toMatchObject({ state: 'ready', total: 0, isExact: true })
  })
})

describe('a table of a million rows', () => {
  it('has an estimated total, and reads the next window by cursor as it is looked at', async () => {
    const { read, asked } = tableOf(1_000_000)
    const source = createRows(query, read)
    await settled()
    expect(source.snapshot()).toMatchObject({ total: 1_000_000, isExact: false })
    source.view(150, 190, 0)
    await settled()
    expect(asked.at(-1)).toMatchObject({ cursor: 'after 200', limit: 200, cut: 200 })
    expect(source.row(399)).toMatchObject({ id: 399 })
  })
  it('reads two windows ahead when the rows pass fast', async () => {
    const { read } = tableOf(1_000_000)
    const source = createRows(query, read)
    await settled()
    source.view(0, 40, 400)
    await settled()
    expect(source.row(439)).toBeDefined()
  })
  it('jumps by share, and says that the place is estimated', async () => {
    const { read, asked } = tableOf(1_000_000)
    const source = createRows(query, read)
    await settled()
    source.view(500_000, 500_040, 0)
    await settled()
    expect(asked.some(({ seek }) => seek !== undefined && Math.abs(seek - 0.5) < 0.001)).toBe(true)
    expect(source.row(500_000)).toBeDefined()
    expect(source.snapshot().isPlaceEstimated).toBe(true)
  })
  it('jumps by offset where the service refuses to seek', async () => {
    const { read, asked } = tableOf(1_000_000, { canSeek: false })
    const source = createRows(query, read)
    await settled()
    source.view(500_000, 500_040, 0)
    await settled()
    expect(asked.some(({ offset }) => offset === 499_950)).toBe(true)
    expect(source.row(500_000)).toMatchObject({ id: 500_000 })
    expect(source.snapshot().isPlaceEstimated).toBe(false)
  })
  it('asks only for where a drag rests', async () => {
    const { read, asked } = tableOf(1_000_000)
    const source = createRows(query, read)
    await settled()
    const before = asked.length
    for (let place = 100_000; place < 900_000; place += 50_000) source.view(place, place + 40, 9000)
    await vi.advanceTimersByTimeAsync(60)
    expect(asked.slice(before).filter(({ seek }) => seek !== undefined)).toHaveLength(1)
  })
  it('puts rows right at the end: the last row is the last', async () => {
    const { read } = tableOf(1_000_000, { skew: 30 })
    const source = createRows(query, read)
    await settled()
    await source.countExactly()
    source.view(999_960, 1_000_000, 0)
    await settled()
    expect(source.row(999_999)).toMatchObject({ id: 999_999 })
  })
  it('keeps at most twenty windows', async () => {
    const { read } = tableOf(1_000_000)
    const source = createRows(query, read)
    await settled()
    for (let place = 10_000; place < 1_000_000; place += 20_000) {
      source.view(place, place + 40, 0)
      await settled()
    }
    expect(source.loadedKeys().length).toBeLessThanOrEqual(20 * 200)
  })
  it('ends a request for rows that left the view', async () => {
    const { read, asked, signals } = tableOf(1_000_000)
    const never: Read = (collection, wire, signal) => {
      const answer = read(collection, wire, signal)
      return wire.seek === undefined ? answer : new Promise(() => undefined)
    }
    const source = createRows(query, never)
    await settled()
    source.view(500_000, 500_040, 0)
    await settled()
    const place = asked.findIndex(({ seek }) => seek !== undefined)
    source.view(0, 40, 0)
    expect(signals[place]?.aborted).toBe(true)
  })
})

describe('a service that gives no cursors', () => {
  it('is read by offset', async () => {
    const { read, asked } = tableOf(1000)
    const plain: Read = (collection, wire, signal) =>
      wire.meta?.includes('cursor') === true
        ? Promise.reject(Object.assign(new Error('No cursor'), { status: 400 }))
        : read(collection, wire, signal)
    const source = createRows(query, plain)
    await settled()
    expect(source.row(0)).toMatchObject({ id: 0 })
    source.view(600, 640, 0)
    await settled()
    expect(source.row(600)).toMatchObject({ id: 600 })
    expect(asked.some(({ offset }) => offset !== undefined)).toBe(true)
  })
})

describe('edits', () => {
  it('show at once, survive reading, and give way to what is confirmed', async () => {
    const source = createRows(query, tableOf(50).read)
    await settled()
    source.put('3', { note: 'mine' }, null)
    expect(source.row(3)).toEqual({ id: 3, note: 'mine' })
    source.reload()
    await settled()
    expect(source.row(3)).toMatchObject({ note: 'mine' })
    source.put('3', { note: 'MINE' }, 'v2')
    expect(source.row(3)).toMatchObject({ note: 'MINE' })
    expect(source.etag(3)).toBe('v2')
    source.reload()
    await settled()
    expect(source.row(3)).toMatchObject({ note: 'read' })
  })
})

describe('a reload', () => {
  it('shows the same rows again in the middle of the sheet', async () => {
    const { read, asked } = tableOf(1_000_000)
    const source = createRows(query, read)
    await settled()
    source.view(250, 290, 0)
    await settled()
    source.reload()
    expect(source.row(260)).toBeDefined()
    await settled()
    expect(asked.some(({ cursor, limit }) => cursor === 'after 200' && limit === 200)).toBe(true)
    expect(source.row(260)).toMatchObject({ id: 260 })
  })
  it('tells what went wrong, and tries again when asked', async () => {
    const { read, state } = tableOf(50)
    state.isDown = true
    const source = createRows(query, read)
    await settled()
    expect(source.snapshot()).toMatchObject({ state: 'failed', total: 0 })
    state.isDown = false
    source.reload()
    expect(source.snapshot()).toMatchObject({ state: 'failed', isReloading: true })
    await settled()
    expect(source.snapshot()).toMatchObject({ state: 'ready', total: 50, error: null, isReloading: false })
  })
  it('begins again after the reading was stopped', async () => {
    const { read, signals } = tableOf(50)
    const source = createRows(query, read)
    source.stop('enough')
    expect(signals[0]?.aborted).toBe(true)
    expect(source.snapshot()).toMatchObject({ state: 'failed', error: 'enough' })
    source.reload()
    expect(source.snapshot()).toMatchObject({ state: 'loading', error: null })
    await settled()
    expect(source.snapshot()).toMatchObject({ state: 'ready', total: 50 })
  })
})
