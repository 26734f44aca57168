import { describe, expect, it } from 'vitest'
import type { Row } from '../model/key.ts'
import { columnOf, fieldOf, orders } from './fixtures.ts'
import { planPaste, isWriting, needsPreview } from './paste.ts'
import { createRows } from './rows.ts'
import type { RowSource } from './row-source.ts'
import { createUndo } from './undo.ts'
import { createWrites, type Wire } from './writes.ts'

const number = columnOf(fieldOf('number', 'string'))
const items = columnOf(fieldOf('items', 'integer', { is_nullable: false }))
const fixed = columnOf(fieldOf('made', 'string'), { whyReadOnly: 'The database writes it.' })

class Refused extends Error {
  readonly status: number
  readonly extensions: Row
  constructor(status: number, message: string, extensions: Row = {}) {
    super(message)
    this.status = status
    this.extensions = extensions
  }
}

/** Three rows, and a service that checks versions as the real one does. */
async function sheet(check: (change: Row) => void = () => undefined) {
  const rows: Row[] = [0, 1, 2].map((id) => ({ id, number: `SO-${id}`, items: id, made: 'x' }))
  const etags = ['a', 'a', 'a']
  const source: RowSource = createRows(
    { collection: orders, fields: ['id', 'number', 'items', 'made'], filter: null, search: '', sort: ['number'] },
    () => Promise.resolve({ data: rows, meta: { etags: [...etags], next_cursor: null }, milliseconds: 1 }),
  )
  await Promise.resolve()
  await Promise.resolve()
  let count = 0
  const sent: { readonly change: Row; readonly etag: string | null }[] = []
  const wire: Wire = {
    update: async (key, change, etag) => {
      await Promise.resolve()
      sent.push({ change, etag })
      check(change)
      const at = Number(key)
      if (etag !== etags[at])
        throw new Refused(412, 'The item has changed.', { current: rows[at], etag: etags[at] ?? '' })
      rows[at] = { ...rows[at], ...change }
      etags[at] = `b${++count}`
      return { data: rows[at], etag: etags[at] }
    },
    readWhole: () => Promise.resolve('whole'),
    refusalOf: (error) => error as Refused,
  }
  const undo = createUndo(async ({ key, change, etag }) => ({ etag: (await wire.update(key, change, etag)).etag }))
  return { source, writes: createWrites(source, wire, undo), undo, rows, etags, sent }
}

describe('writing a cell', () => {
  it('shows the value at once, and sends the version that was read', async () => {
    const { source, writes, sent } = await sheet()
    const done = writes.write('1', { column: number, value: 'new', shown: 'new' })
    expect(source.row(1)).toMatchObject({ number: 'new' })
    expect(writes.states('1')?.get('number')).toBe('sending')
    expect(await done).toBe(true)
    expect(writes.states('1')).toBeUndefined()
    expect(sent).toEqual([{ change: { number: 'new' }, etag: 'a' }])
  })
  it('sends the second change of a row with the version of the first', async () => {
    const { writes, sent, source } = await sheet()
    const both = [
      writes.write('1', { column: number, value: 'new', shown: 'new' }),
      writes.write('1', { column: items, value: 9, shown: 9 }),
    ]
    await Promise.all(both)
    expect(sent.map(({ etag }) => etag)).toEqual(['a', 'b1'])
    expect(source.row(1)).toMatchObject({ number: 'new', items: 9 })
  })
  it('keeps what was typed when it is refused, and restores on request', async () => {
    const { source, writes } = await sheet(() => {
      throw new Refused(400, 'Too many items.')
    })
    expect(await writes.write('1', { column: items, value: 5000, shown: 5000 })).toBe(false)
    expect(source.row(1)).toMatchObject({ items: 5000 })
    expect(writes.trouble('1', 'items')).toMatchObject({ state: 'refused', message: 'Too many items.' })
    expect(writes.restore('1', 'items')).toBe(true)
    expect(source.row(1)).toMatchObject({ items: 1 })
  })
  it('goes through when somebody changed another field of the row', async () => {
    const { writes, rows, etags, source } = await sheet()
    rows[1] = { ...rows[1], items: 77 }
    etags[1] = 'theirs'
    expect(await writes.write('1', { column: number, value: 'new', shown: 'new' })).toBe(true)
    expect(source.row(1)).toMatchObject({ number: 'new', items: 77 })
  })
  it('asks when somebody changed the same field, and knows both values', async () => {
    const { writes, rows, etags, source, undo } = await sheet()
    writes.subscribe(() => undefined)
    rows[1] = { ...rows[1], number: 'theirs' }
    etags[1] = 'theirs'
    expect(await writes.write('1', { column: number, value: 'mine', shown: 'mine' })).toBe(false)
    expect(writes.trouble('1', 'number')).toMatchObject({ state: 'conflict', theirs: 'theirs', shown: 'mine' })
    writes.overwrite('1', 'number')
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(rows[1]).toMatchObject({ number: 'mine' })
    await undo.undo()
    expect(source.row(1)).toMatchObject({ number: 'theirs' })
  })
  it('marks a row whose place in the order may be another now', async () => {
    const { writes } = await sheet()
    await writes.write('1', { column: items, value: 3, shown: 3 })
    expect(writes.isMoved('1')).toBe(false)
    await writes.write('1', { column: number, value: 'zz', shown: 'zz' })
    expect(writes.isMoved('1')).toBe(true)
  })
})

describe('pasting', () => {
  it('reads every value first and marks what does not fit', async () => {
    const { source } = await sheet()
    const plan = planPaste(
      source,
      [number, items, fixed],
      [
        ['SO-1', '5'],
        ['B', 'many'],
        ['C', '7', 'y'],
      ],
      { row: 1, column: 0 },
    )
    expect(plan.rows.map(({ index }) => index)).toEqual([1, 2, null])
    expect(plan.rows[0]?.change.change).toEqual({ items: 5 })
    expect(plan.rows[1]?.problems.get('items')).toBe('“many” is not a whole number.')
    expect(plan.rows[2]?.problems.get('made')).toBe('The database writes it.')
    expect(plan.rows.filter(isWriting)).toHaveLength(1)
    expect(needsPreview(plan)).toBe(true)
  })
  it('leaves out columns beyond the last, and says how many', async () => {
    const { source } = await sheet()
    const plan = planPaste(source, [number, items], [['a', '1', 'x', 'y']], { row: 0, column: 0 })
    expect(plan.left).toBe(2)
    expect(needsPreview(plan)).toBe(true)
  })
  it('needs no preview for one row that fits', async () => {
    const { source } = await sheet()
    expect(needsPreview(planPaste(source, [number, items], [['a', '1']], { row: 0, column: 0 }))).toBe(false)
  })
})
