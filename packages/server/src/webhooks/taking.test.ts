import { expect, test } from 'vitest'
import type { LeasedDelivery, Wanted } from '../store/delivery-store.ts'
import { createTaking, type Held } from './taking.ts'
import type { Webhook } from './webhook.ts'

const PLACES = 2

/** Webhooks that all have something to send; `probe` is the time until the next attempt at one that fails. */
function stage(probes: Readonly<Record<string, number | null>>, onTake = () => {}) {
  const held: Held[] = []
  const asked: (readonly Wanted[])[] = []
  const webhooks = new Map(
    Object.entries(probes).map(([id, probe]) => [
      id,
      {
        id,
        url: new URL(`http://${id}.example/`),
        isActive: true,
        stored: { failing: probe === null ? null : { since: 1000, probe } },
      } as Webhook,
    ]),
  )
  const taking = createTaking({
    store: {
      dueTimes: async (ids) => ids.map((webhook) => ({ webhook, isDue: true, wait: null })),
      take: async (wanted) => {
        asked.push(wanted)
        onTake()
        return {
          time: 0,
          deliveries: wanted.map(({ webhook }) => ({ id: `of ${webhook}`, webhook }) as LeasedDelivery),
        }
      },
    },
    webhooks: async () => webhooks,
    lanes: {
      add: (entries) => void held.push(...entries),
      load: (host) => held.filter((each) => each.host === host).length,
    },
    hostConcurrency: PLACES,
    timeout: 1000,
    failpoints: null,
  })
  const names = (at: number) => asked[at]?.map(({ webhook, isProbe }) => `${webhook}${isProbe ? ' tried' : ''}`)
  return { taking, held, names, webhooks }
}

test('failing receivers are tried as far as there are places, longest overdue first, and after all others', async () => {
  const { taking, names, held } = stage({ a: -10, b: -30, c: 50, d: null, e: -20 })
  await taking.take()
  expect(names(0)).toEqual(['d', 'b tried', 'e tried'])
  expect(held.map(({ host }) => host)).toEqual(['d.example', 'failing', 'failing'])
  await taking.take()
  expect(names(1)).toEqual(['d'])
})

test('what is leased goes to the receiver as it is then', async () => {
  const { taking, held, webhooks } = stage({ a: null }, () => {
    for (const [id, webhook] of webhooks) webhooks.set(id, { ...webhook, secrets: ['rotated'] })
  })
  await taking.take()
  expect(held.map(({ webhook }) => webhook.secrets)).toEqual([['rotated']])
})

test('what was leased before its receiver began to fail is not sent, the attempt at a failing one is', async () => {
  const { taking, held } = stage({ a: null, b: 0 })
  await taking.take()
  expect(held.map(taking.isUseless)).toEqual([false, false])
  taking.changed({ failing: ['a'], recovered: [] })
  expect(held.map(taking.isUseless)).toEqual([true, false])
})
