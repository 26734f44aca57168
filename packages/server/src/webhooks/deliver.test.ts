import { expect, test } from 'vitest'
import type { LeasedDelivery } from '../store/delivery-store.ts'
import { endOf } from './deliver.ts'
import type { Outcome } from './exchange.ts'

const delivery: LeasedDelivery = { id: 'd', webhook: 'w', fence: 1, tries: 0, attempts: '[]', content: '{}', item: 'i' }
const end = (outcome: Partial<Outcome>, tries = 0) =>
  endOf({ ...delivery, tries }, { duration: 1, response: null, error: null, ...outcome }, 0, [1000])

test.each<[Partial<Outcome>, string, string | null]>([
  [{ response: 204 }, 'delivered', 'taken'],
  [{ response: 410 }, 'dead', 'taken'],
  [{ response: 503 }, 'waiting', 'failed'],
  [{ response: 302 }, 'waiting', 'failed'],
  [{ error: 'TIMEOUT' }, 'waiting', 'failed'],
  [{ error: 'ECONNREFUSED' }, 'waiting', 'failed'],
  [{ error: 'ADDRESS_REFUSED' }, 'dead', null],
  [{ error: 'SECRET_UNREADABLE' }, 'waiting', null],
])('%j: the delivery is %s, the receiver has %s', (outcome, status, receiver) => {
  expect(end(outcome)).toMatchObject({ status, receiver })
})

test('after the last repetition a delivery is dead', () => {
  expect(end({ error: 'TIMEOUT' }, 1)).toMatchObject({ status: 'dead', wait: null, receiver: 'failed' })
})
