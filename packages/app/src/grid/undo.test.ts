import { describe, expect, it } from 'vitest'
import { orders } from './fixtures.ts'
import { createUndo, Stale, type Sent, type Step } from './undo.ts'

/** Rows with versions, written as the service does: a version that is not the current one is refused. */
function table(rows: Record<string, { note: unknown; etag: string }>) {
  const sent: Sent[] = []
  let version = 100
  const undo = createUndo((step) => {
    sent.push(step)
    const row = rows[step.key]
    if (step.kind === 'update') {
      if (row === undefined || row.etag !== step.etag) return Promise.reject(new Stale())
      row.note = step.change['note']
      row.etag = `v${++version}`
      return Promise.resolve({ etag: row.etag })
    }
    if (step.kind === 'delete') delete rows[step.key]
    else rows[step.key] = { note: step.change['note'], etag: 'v1' }
    return Promise.resolve({ etag: step.kind === 'create' ? 'v1' : null })
  })
  return { undo, sent, rows }
}

const step = (key: string, before: string, after: string, etag: string): Step => ({
  kind: 'update',
  collection: orders,
  key,
  before: { note: before },
  after: { note: after },
  shownBefore: { note: before },
  shownAfter: { note: after },
  etag,
})

describe('undo', () => {
  it('writes the value before, and again the one after', async () => {
    const { undo, rows } = table({ 1: { note: 'new', etag: 'v1' } })
    undo.push({ label: 'Note', steps: [step('1', 'old', 'new', 'v1')] })
    expect(await undo.undo()).toMatchObject({ done: 1, stale: 0 })
    expect(rows['1']?.note).toBe('old')
    expect(await undo.redo()).toMatchObject({ done: 1 })
    expect(rows['1']?.note).toBe('new')
    expect(await undo.undo()).toMatchObject({ done: 1 })
  })
  it('tells once when all of an act is taken back', async () => {
    const { undo } = table({ 1: { note: 'new', etag: 'v1' }, 2: { note: 'new', etag: 'v1' } })
    const moved: number[] = []
    undo.onMoved(({ steps }) => moved.push(steps.length))
    undo.push({ label: 'Two', steps: [step('1', 'old', 'new', 'v1'), step('2', 'old', 'new', 'v1')] })
    await undo.undo()
    expect(moved).toEqual([2])
  })
  it('leaves a row alone that somebody changed since, and says so', async () => {
    const { undo, rows } = table({ 1: { note: 'theirs', etag: 'v9' }, 2: { note: 'new', etag: 'v1' } })
    undo.push({ label: 'Two', steps: [step('1', 'old', 'new', 'v1'), step('2', 'old', 'new', 'v1')] })
    expect(await undo.undo()).toMatchObject({ done: 1, stale: 1 })
    expect(rows['1']?.note).toBe('theirs')
    expect(rows['2']?.note).toBe('old')
  })
  it('takes two changes of one row back one after the other', async () => {
    const { undo, rows } = table({ 1: { note: 'c', etag: 'v3' } })
    undo.push({ label: 'First', steps: [step('1', 'a', 'b', 'v2')] })
    undo.follow('orders', '1', 'v2', 'v3')
    undo.push({ label: 'Second', steps: [step('1', 'b', 'c', 'v3')] })
    await undo.undo()
    expect(await undo.undo()).toMatchObject({ label: 'First', done: 1 })
    expect(rows['1']?.note).toBe('a')
  })
  it('deletes what was created, and creates it again with its key', async () => {
    const { undo, rows } = table({ 7: { note: 'made', etag: 'v1' } })
    undo.push({
      label: 'New',
      steps: [{ kind: 'create', collection: orders, key: '7', row: { id: 7, note: 'made' }, etag: 'v1' }],
    })
    await undo.undo()
    expect(rows['7']).toBeUndefined()
    await undo.redo()
    expect(rows['7']?.note).toBe('made')
  })
  it('forgets what could be redone once something new is done', async () => {
    const { undo } = table({ 1: { note: 'new', etag: 'v1' } })
    undo.push({ label: 'One', steps: [step('1', 'old', 'new', 'v1')] })
    await undo.undo()
    undo.push({ label: 'Two', steps: [] })
    expect(await undo.redo()).toBeNull()
  })
  it('takes back the named act only while it is the last', async () => {
    const { undo } = table({ 1: { note: 'new', etag: 'v1' } })
    const first = undo.push({ label: 'One', steps: [step('1', 'old', 'new', 'v1')] })
    const second = undo.push({ label: 'Two', steps: [] })
    expect(await undo.undo(first)).toBeNull()
    expect(await undo.undo(second)).not.toBeNull()
    expect(await undo.undo(first)).toMatchObject({ done: 1 })
  })
  it('takes back as many acts as it is asked to, however quickly', async () => {
    const { undo, rows } = table({ 1: { note: 'new', etag: 'v1' } })
    undo.push({ label: 'Note', steps: [step('1', 'old', 'new', 'v1')] })
    const outcomes = await Promise.all([undo.undo(), undo.redo(), undo.undo()])
    expect(outcomes.map((outcome) => outcome?.done)).toEqual([1, 1, 1])
    expect(rows['1']?.note).toBe('old')
  })
  it('waits for a write that is on its way', async () => {
    const { undo, rows } = table({ 1: { note: 'new', etag: 'v1' } })
    const write = Promise.withResolvers<boolean>()
    undo.hold(write.promise)
    const undone = undo.undo()
    undo.push({ label: 'Note', steps: [step('1', 'old', 'new', 'v1')] })
    write.resolve(true)
    expect(await undone).toMatchObject({ done: 1 })
    expect(rows['1']?.note).toBe('old')
  })
})
