import { expect, test } from 'vitest'
import { mirrorOf, table } from '../testing/schema.ts'
import type { Engine } from '../engine/engine.ts'
import type { LoggedChange } from '../events/logged-change.ts'
import { createChooseRows } from './choose-rows.ts'
import type { Webhook } from './webhook.ts'

const change: LoggedChange = {
  position: 1,
  write: 'w1',
  collection: 'notes',
  key: '1',
  kind: 'create',
  before: null,
  after: '{"id":1}',
  user: null,
  at: '',
}

/** An engine that shows every row that it is asked for. */
const engine = {
  schema: () => mirrorOf([table('notes', { id: 'int4' })]),
  watch: {
    view: () => ({ actor: { isAdmin: true } }),
    images: async () => ({ shown: new Set([0]), keys: new Set([0]) }),
  },
} as unknown as Engine
const limits = { depth: 10, jsonDepth: 10, listLength: 100, limitDefault: 100, limitMax: null }
const chooseRows = createChooseRows({ engine, actorOfUser: async () => null, limits })
const chosenBy = (filter: object) => chooseRows([change], { filter, user: null, fields: null } as unknown as Webhook)

test('a stored filter with a field or relation without an operator chooses nothing', async () => {
  expect(await chosenBy({ id: { _eq: 1 } })).toHaveLength(1)
  for (const filter of [{ id: {} }, { _and: [{ id: {} }] }, { _or: [{ id: { _eq: 1 } }, { id: {} }] }, { author: {} }])
    await expect(chosenBy(filter)).rejects.toThrow('has no operator')
})
