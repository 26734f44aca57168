import { ServiceError } from '@tain/contract'
import { describe, expect, test } from 'vitest'
import { collectionMeta, collectionOf, mirrorOf, table } from '../../testing/schema.ts'
import { administrator, anonymous, type Actor } from '../../access/actor.ts'
import { queryKeyOf } from '../../query/keyed-query.ts'
import { parseQuery } from '../../query/parse-query.ts'
import type { Schema } from '../../schema/schema.ts'
import type { WriteReply, WriteRequest } from '../write/write-request.ts'
import type { WriteOptions } from '../write/transact.ts'
import { deleteAt, showingMany, showingNothing, showingOne, updateAt, upsertAt } from './item-write.ts'
import { underNewest } from './under-newest.ts'
import {
  eachOfBatch,
  shownRows,
  targetLimits,
  writableCollection,
  writeItems,
  writeOne,
  writeRequest,
} from './write-items.ts'

const limits = { depth: 10, jsonDepth: 10, listLength: 100, limitDefault: 100, limitMax: 500 }
const tables = [
  table('site', { id: 'int4', title: 'text' }),
  table('notes', { id: 'int4', text: 'text' }),
  table('lines', { order_no: 'int4', line_no: 'int4' }, { primaryKey: ['order_no', 'line_no'] }),
  table('report', { id: 'int4' }, { kind: 'view', privileges: { insert: false, update: false, delete: false } }),
]
const schema: Schema = mirrorOf(tables, { collections: [collectionMeta('site', { singleton: true })] })
const site = collectionOf(schema, 'site')
const notes = collectionOf(schema, 'notes')
const lines = collectionOf(schema, 'lines')

const origin = { ip: null, userAgent: null }
const shape = (wire: Record<string, unknown> = {}) => {
  const { query, values } = parseQuery(wire, limits)
  return { query, queryKey: queryKeyOf(query), values }
}
const remove = deleteAt({ collection: 'notes' }, ['7'])

/** An engine that records writes. */
function recording() {
  const writes: { readonly requests: readonly WriteRequest[]; readonly options: WriteOptions }[] = []
  const reply: WriteReply = { rows: ['{"id":7}'], isHidden: false, rowVersion: '1' }
  return {
    writes,
    write: async (_: Actor, requests: readonly WriteRequest[], options: WriteOptions) => {
      writes.push({ requests, options })
      return requests.map(() => reply)
    },
  }
}

function errorOf(work: () => unknown): ServiceError {
  try {
    work()
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('an address', () => {
  const root = { collection: 'notes' }

  test('with a key is the item with that key', () => {
    expect(updateAt(root, ['7'], { text: 'x' }, notes)?.mutation).toEqual({
      collection: 'notes',
      kind: 'update',
      target: { kind: 'parts', keys: [['7']] },
      data: { text: 'x' },
    })
    expect(remove).toMatchObject({ shows: 'nothing', mutation: { target: { kind: 'parts', keys: [['7']] } } })
  })

  test('without a key is the row of a singleton, and of no other collection', () => {
    const data = { title: 'x' }
    expect(updateAt({ collection: 'site' }, null, data, site)).toEqual({
      mutation: { collection: 'site', kind: 'singleton', data },
      shows: 'one',
      ifMatch: null,
    })
    expect(updateAt(root, null, { text: 'x' }, notes)).toBe(null)
  })

  test('gives an upserted item its key', () => {
    const upsert = (key: readonly string[], data: unknown) => upsertAt({ collection: 'lines' }, key, data, lines)
    const items = [{ order_no: '1', line_no: '2' }]
    expect(upsert(['1', '2'], {}).mutation).toMatchObject({ kind: 'upsert', items, on: null })
    expect(upsert(['1', '2'], { line_no: 2 }).mutation).toMatchObject({ items })
    expect(errorOf(() => upsert(['1', '2'], { line_no: 3 })).message).toContain('"line_no" is another one')
    expect(errorOf(() => upsert(['1'], null)).code).toBe('FORBIDDEN')
    expect(errorOf(() => upsert(['1', '2'], null)).message).toContain('An item has to be an object')
  })
})

describe('the collection of a write', () => {
  const nameOf = (collection: string, actor: Actor) => writableCollection({ collection }, actor, schema).name

  test('is one that the caller may use', () => {
    expect(nameOf('notes', administrator)).toBe('notes')
    expect(errorOf(() => nameOf('nope', administrator)).code).toBe('FORBIDDEN')
    const refused = errorOf(() => nameOf('notes', anonymous)).toWire()
    expect(refused).toEqual(
      errorOf(() => writableCollection({ collection: 'notes' }, anonymous, mirrorOf([]))).toWire(),
    )
  })

  test('can be changed', () => {
    expect(errorOf(() => nameOf('report', administrator)).code).toBe('UNPROCESSABLE_CONTENT')
    const reader: Actor = { ...anonymous, mayUse: () => true }
    expect(nameOf('report', reader)).toBe('report')
  })
})

describe('a request', () => {
  test('reads back what its response shows', () => {
    const create = showingOne({ collection: 'notes', kind: 'create', items: [{}] })
    expect(writeRequest(create, () => shape({ fields: 'id' }), origin).read).toEqual(shape({ fields: 'id' }))
    const unshaped = () => {
      throw new Error('a response without items has no shape')
    }
    expect(writeRequest(remove, unshaped, origin).read).toBe(null)
  })

  test('without a limit selects every match', () => {
    expect(parseQuery({}, targetLimits(limits)).query.limit).toBe(-1)
    expect(parseQuery({ limit: 1000 }, targetLimits(limits)).query.limit).toBe(1000)
  })

  test('may be a dry run', async () => {
    const engine = recording()
    const request = writeRequest(remove, shape, origin)
    expect(await writeOne(engine, administrator, request, true)).toMatchObject({ rowVersion: '1' })
    expect(engine.writes).toEqual([{ requests: [request], options: { isDryRun: true, isEach: false, claim: null } }])
  })

  test('may be repeated by its caller, except a dry run', async () => {
    const engine = recording()
    const repeatable = { key: 'k', request: 'r', answer: () => ({ status: 204, body: null, etag: null }) }
    const ana: Actor = { ...anonymous, user: 'ana' }
    for (const [actor, isDryRun] of [
      [ana, false],
      [anonymous, false],
      [ana, true],
    ] as const)
      await writeItems(engine, actor, [], { isDryRun }, repeatable)
    const claims = engine.writes.map(({ options: { claim } }) => claim && [claim.key, claim.caller, claim.request])
    expect(claims).toEqual([['k', 'ana', 'r'], ['k', 'public', 'r'], null])
  })
})

describe('the response', () => {
  const update = { collection: 'notes', kind: 'update-each', items: [] } as const
  const reply = (rows: readonly string[], isHidden = false): WriteReply => ({ rows, isHidden, rowVersion: null })

  test.each([
    ['one item', showingOne(update), reply(['{}']), ['{}']],
    ['a list', showingMany(update), reply(['{}', '{}']), ['{}', '{}']],
    ['an empty list', showingMany(update), reply([]), []],
    ['nothing instead of a missing item', showingOne(update), reply([]), null],
    ['nothing instead of hidden items', showingMany(update), reply([], true), null],
    ['nothing after a deletion', showingNothing(update), reply([], true), null],
    ['nothing without a reply', showingOne(update), undefined, null],
  ])('shows %s', (_, write, given, rows) => {
    expect(shownRows(write, given)).toEqual(rows)
  })
})

test('a refusal in a batch contains its position', () => {
  const work = (value: number) => {
    if (value > 1) throw new ServiceError('FORBIDDEN', 'no', { field: 'x' })
    return value * 2
  }
  expect(eachOfBatch([0, 1], work)).toEqual([0, 2])
  expect(errorOf(() => eachOfBatch([0, 1, 2], work))).toMatchObject({
    code: 'FORBIDDEN',
    details: { field: 'x', operation: 2 },
  })
  const unexpected = new TypeError('unexpected')
  expect(() =>
    eachOfBatch([1], () => {
      throw unexpected
    }),
  ).toThrow(unexpected)
})

describe('a refusal', () => {
  const engine = { renew: async () => administrator }
  const work = (actor: Actor) => {
    if (!actor.isAdmin) throw new ServiceError('FORBIDDEN')
    return 'done'
  }

  test('is checked again under the newest permissions', async () => {
    expect(await underNewest(engine, anonymous, work)).toBe('done')
    await expect(underNewest({ renew: async () => anonymous }, anonymous, work)).rejects.toThrow(ServiceError)
  })

  test('of another kind is final', async () => {
    const invalid = () => {
      throw new ServiceError('INVALID_QUERY', 'x')
    }
    const never = { renew: () => Promise.reject(new Error('renewed')) }
    await expect(underNewest(never, anonymous, invalid)).rejects.toThrow('x')
  })
})
