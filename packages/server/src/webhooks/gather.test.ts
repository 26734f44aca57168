import { describe, expect, test } from 'vitest'
import { mirrorOf, table } from '../testing/schema.ts'
import type { EventLog } from '../events/event-log.ts'
import type { LoggedChange } from '../events/logged-change.ts'
import type { Cursor, NewDelivery } from '../store/delivery-store.ts'
import { createGather } from './gather.ts'
import type { Webhook } from './webhook.ts'

const old = mirrorOf([table('notes', { id: 'int4' })])
const newer = mirrorOf([table('notes', { id: 'int4' }), table('tags', { id: 'int4' })])

const changeOf = (position: number, collection = 'notes'): LoggedChange => ({
  position,
  write: `w${position}`,
  collection,
  key: String(position),
  kind: 'create',
  before: null,
  after: `{"id":${position}}`,
  user: null,
  at: '',
})

/** A log and a store in memory. */
function createStage() {
  const state = {
    head: { epoch: 'e1', number: 0, oldest: 0 },
    changes: [] as LoggedChange[],
    schema: old,
    cursors: new Map<string, Cursor>(),
    delivered: new Map<string, string[]>(),
    failing: '',
    failures: 0,
  }
  const log = {
    head: async () => state.head,
    changes: async ({ after }: { after: number }) => state.changes.filter(({ position }) => position > after),
  } as unknown as EventLog
  const { run } = createGather({
    log,
    store: {
      add: async ({ id }, to, deliveries: readonly NewDelivery[]) => {
        state.cursors.set(id, to)
        state.delivered.set(id, [...(state.delivered.get(id) ?? []), ...deliveries.map(({ key }) => key)])
        return true
      },
      begin: async () => undefined,
      drop: async () => undefined,
    },
    schema: () => state.schema,
    latestSchema: async () => (state.schema = newer),
    chooseRows: async (changes, { id }) => {
      if (id === state.failing) throw new Error('a filter that cannot be asked')
      return changes.map((change) => ({ change, item: change.after, hasKey: true }))
    },
    shownKey: (key) => key,
    observe: ({ kind }) => void (state.failures += kind === 'webhooks-failed' ? 1 : 0),
  })
  const webhook = (id: string, collections: readonly string[] | null): Webhook => {
    const cursor = state.cursors.get(id) ?? { epoch: 'e1', number: 0 }
    return {
      id,
      isDisabled: false,
      stored: { id, cursor },
      collections: collections === null ? null : new Set(collections),
      events: new Set(['create']),
    } as unknown as Webhook
  }
  const write = (...changes: LoggedChange[]) => {
    state.changes.push(...changes)
    state.head = { ...state.head, number: state.head.number + changes.length }
  }
  return { state, run, webhook, write }
}

describe('deliveries are gathered', () => {
  test('for others, although one webhook fails', async () => {
    const { state, run, webhook, write } = createStage()
    state.failing = 'a'
    write(changeOf(1))
    expect(await run([webhook('a', ['notes']), webhook('b', ['notes'])])).toBe(true)
    expect([state.delivered.get('a'), state.delivered.get('b')]).toEqual([undefined, ['1']])
    expect(state.failures).toBe(1)
    state.failing = ''
    await run([webhook('a', ['notes']), webhook('b', ['notes'])])
    expect(state.delivered.get('a')).toEqual(['1'])
  })

  test('of a collection that this process does not know yet', async () => {
    const { state, run, webhook, write } = createStage()
    write(changeOf(1, 'tags'))
    await run([webhook('a', null)])
    expect(state.delivered.get('a')).toEqual(['1'])
  })

  test('from the stored place after a new epoch, which may have fewer changes', async () => {
    const { state, run, webhook, write } = createStage()
    write(changeOf(1, 'others'), changeOf(2, 'others'), changeOf(3, 'others'))
    await run([webhook('a', ['notes'])])
    state.head = { epoch: 'e2', number: 1, oldest: 1 }
    state.changes.length = 1
    await run([webhook('a', ['notes'])])
    write(changeOf(2), changeOf(3))
    await run([webhook('a', ['notes'])])
    expect(state.delivered.get('a')).toEqual(['2', '3'])
  })
})
