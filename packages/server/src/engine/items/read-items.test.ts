import { ServiceError } from '@tain/contract'
import { describe, expect, test } from 'vitest'
import { collectionMeta, column, mirrorOf, table } from '../../testing/schema.ts'
import { administrator, anonymous, type Actor } from '../../access/actor.ts'
import { appPermissions } from '../../access/app-permissions.ts'
import { queryKeyOf } from '../../query/keyed-query.ts'
import { parseQuery } from '../../query/parse-query.ts'
import type { Schema } from '../../schema/schema.ts'
import type { Read, Rows } from '../read.ts'
import { listRows } from './app-permissions.ts'
import { itemRead, listRead, readCollection } from './read-items.ts'
import { readKeys } from './read-keys.ts'

const limits = { depth: 10, jsonDepth: 10, listLength: 100, limitDefault: 100, limitMax: null }

const tables = [
  table(
    'site',
    { id: 'int4' },
    {
      columns: [
        column('id', 'int4', { isNullable: false }),
        column('title', 'varchar', { defaultExpression: "'Untitled'::character varying" }),
        column('visits', 'int4', { defaultExpression: '0' }),
        column('secret', 'text', { defaultExpression: "'s3cret'::text" }),
        column('note', 'text'),
      ],
    },
  ),
  table('lines', { order_no: 'int4', line_no: 'int4' }, { primaryKey: ['order_no', 'line_no'] }),
  table('log', { path: 'text' }),
]
const asList = mirrorOf(tables)
const asSingleton = mirrorOf(tables, { collections: [collectionMeta('site', { singleton: true })] })

interface Listed {
  readonly actor: Actor
  readonly read: Read
}

/** An engine that returns the same rows to every read, and records the reads. */
function engineWith(rows: readonly string[], schemas: readonly Schema[] = [asSingleton], newest?: Actor) {
  const lists: Listed[] = []
  const renewals: Actor[] = []
  return {
    lists,
    renewals,
    list: async (actor: Actor, read: Read): Promise<Rows> => {
      lists.push({ actor, read })
      return { rows, meta: null }
    },
    renew: async (actor: Actor) => {
      renewals.push(actor)
      return newest ?? actor
    },
    /** Every read loads the next schema. */
    schema: () => schemas[Math.min(lists.length, schemas.length - 1)] ?? asList,
  }
}

function readOf(collection: string, wire: Record<string, unknown> = {}, isSystem = false): Read {
  const { query, values, meta, cursor } = parseQuery(wire, limits)
  return listRead({ collection, isSystem }, { query, queryKey: queryKeyOf(query), values, meta, cursor })
}

const limitsOf = (lists: readonly Listed[]) => lists.map(({ read }) => read.query.limit)

describe('a collection', () => {
  test('shows its rows', async () => {
    const engine = engineWith(['{"id":1}', '{"id":2}'], [asList])
    expect(await readCollection(engine, administrator, readOf('site', { limit: 2 }))).toEqual({
      rows: ['{"id":1}', '{"id":2}'],
      meta: null,
    })
    expect(limitsOf(engine.lists)).toEqual([2])
  })

  test('that does not exist is left to the engine', async () => {
    const engine = engineWith([])
    await readCollection(engine, administrator, readOf('nope'))
    expect(engine.lists.map(({ read }) => read.collection)).toEqual(['nope'])
  })
})

describe('a singleton', () => {
  test('shows its only row, whatever the limit', async () => {
    const engine = engineWith(['{"id":7}'])
    expect(await readCollection(engine, administrator, readOf('site', { limit: 20 }))).toEqual({ item: '{"id":7}' })
    expect(limitsOf(engine.lists)).toEqual([1])
    expect(engine.lists[0]?.read.queryKey).toBe(queryKeyOf(parseQuery({ limit: 1 }, limits).query))
  })

  test('that is aggregated shows groups', async () => {
    const engine = engineWith(['{"count":1}'])
    const found = await readCollection(engine, administrator, readOf('site', { aggregate: { count: '*' } }))
    expect(found).toEqual({ rows: ['{"count":1}'], meta: null })
  })

  test('without a row shows its defaults, and creates none', async () => {
    const engine = engineWith([])
    expect(await readCollection(engine, administrator, readOf('site', { fields: '*' }))).toEqual({
      item: '{"id":null,"title":"Untitled","visits":0,"secret":"s3cret"}',
    })
    expect(await readCollection(engine, administrator, readOf('site', { fields: ['visits', 'note'] }))).toEqual({
      item: '{"visits":0}',
    })
  })

  test('shows no defaults of fields that the caller may not read under the newest permissions', async () => {
    const newest: Actor = { ...anonymous, fieldsFor: () => new Set(['id', 'title']) }
    const engine = engineWith([], [asSingleton], newest)
    const caller: Actor = { ...anonymous, fieldsFor: () => 'all' }
    expect(await readCollection(engine, caller, readOf('site', { fields: '*' }))).toEqual({
      item: '{"id":null,"title":"Untitled"}',
    })
    expect(engine.renewals).toEqual([caller])
  })

  test('is read again if the schema has changed meanwhile', async () => {
    const became = engineWith(['{"id":1}'], [asList, asSingleton])
    expect(await readCollection(became, administrator, readOf('site'))).toEqual({ item: '{"id":1}' })
    const ceased = engineWith(['{"id":1}'], [asSingleton, asList])
    expect(await readCollection(ceased, administrator, readOf('site'))).toEqual({ rows: ['{"id":1}'], meta: null })
    expect([limitsOf(became.lists), limitsOf(ceased.lists)]).toEqual([
      [100, 1],
      [1, 100],
    ])
  })
})

describe('app permissions', () => {
  const caller: Actor = { ...anonymous, hasAppAccess: true }
  const permissions = (wire: Record<string, unknown> = {}) => readOf('service_permissions', wire, true)
  const count = async (engine: ReturnType<typeof engineWith>, actor: Actor, read: Read) =>
    (await listRows(engine, actor, read, undefined)).rows.length

  test('are listed after the stored ones, which are listed completely', async () => {
    const engine = engineWith(['{"id":1}'], [asList], caller)
    const { rows } = await listRows(engine, anonymous, permissions({ limit: 1, page: 3 }), undefined, { system: true })
    expect(rows).toHaveLength(1 + appPermissions.length)
    expect(rows[0]).toBe('{"id":1}')
    expect(JSON.parse(rows[1] ?? '')).toMatchObject({ system: true, collection: appPermissions[0]?.collection })
    expect(engine.lists.map(({ actor, read: { query } }) => [actor, query.limit, query.offset])).toEqual([
      [caller, -1, null],
    ])
  })

  test('contain the selected fields', async () => {
    const engine = engineWith([], [asList], caller)
    const { rows } = await listRows(engine, caller, permissions({ fields: ['id', 'action'] }), undefined)
    expect(rows[0]).toBe(JSON.stringify({ id: null, action: appPermissions[0]?.action }))
  })

  test('are excluded by a filter and a search, and for callers without app access', async () => {
    const engine = engineWith([], [asList], caller)
    expect(await count(engine, caller, permissions({ filter: { id: 1 } }))).toBe(0)
    expect(await count(engine, caller, permissions({ search: 'x' }))).toBe(0)
    expect(await count(engineWith([], [asList], anonymous), anonymous, permissions())).toBe(0)
  })

  test('are neither counted in groups nor listed in a user collection of that name', async () => {
    const engine = engineWith([], [asList], caller)
    expect(await count(engine, caller, permissions({ aggregate: { count: '*' } }))).toBe(0)
    expect(await count(engine, caller, readOf('service_permissions'))).toBe(0)
    expect(engine.renewals).toEqual([])
  })
})

describe('one item', () => {
  const shape = (wire: Record<string, unknown>) => {
    const { query, values } = parseQuery(wire, limits)
    return { query, queryKey: queryKeyOf(query), values }
  }

  test('has neither meta nor cursor', () => {
    const read = itemRead({ collection: 'site', isSystem: false }, shape({ fields: 'id' }), () => ['7'])
    expect(read).toMatchObject({ collection: 'site', meta: [], cursor: null, key: ['7'] })
  })

  test('cannot be aggregated, whatever its key', () => {
    const keyOf = () => {
      throw new ServiceError('FORBIDDEN')
    }
    expect(() => itemRead({ collection: 'site', isSystem: false }, shape({ groupBy: 'id' }), keyOf)).toThrow(
      'One item cannot be aggregated',
    )
  })
})

describe('several keys', () => {
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => (error instanceof ServiceError ? error.code : error),
    )

  test('are one filter, besides that of the caller, without a limit', async () => {
    const engine = engineWith(['{}', '{}'])
    await readKeys(engine, administrator, readOf('site', { filter: { note: 'x' }, limit: 1 }), [1, '2', 1])
    const [{ read } = { read: null }] = engine.lists
    expect(read?.query.limit).toBe(-1)
    expect(read?.query.filter).toMatchObject({ kind: 'and', parts: [{ operator: '_eq' }, { operator: '_in' }] })
    expect(read?.values).toEqual(['x', ['1', '2']])
    expect(read?.queryKey).toBe(queryKeyOf(read?.query ?? parseQuery({}, limits).query))
  })

  test('of several columns are compared column by column', async () => {
    const engine = engineWith(['{}', '{}'])
    await readKeys(engine, administrator, readOf('lines'), ['1,2', { order_no: 1, line_no: 3 }])
    expect(engine.lists[0]?.read.values).toEqual(['1', '2', '1', '3'])
  })

  test('are all found, or none is shown', async () => {
    expect(await codeOf(readKeys(engineWith(['{}']), administrator, readOf('site'), [1, 2]))).toBe('FORBIDDEN')
    expect(await codeOf(readKeys(engineWith(['{}']), administrator, readOf('site'), [2, '2']))).toBe(null)
    expect(await codeOf(readKeys(engineWith([]), administrator, readOf('log'), []))).toBe(null)
  })

  test('that are no keys are keys of items that do not exist', async () => {
    const engine = engineWith([])
    expect(await codeOf(readKeys(engine, administrator, readOf('site'), [null]))).toBe('FORBIDDEN')
    expect(await codeOf(readKeys(engine, administrator, readOf('lines'), ['1']))).toBe('FORBIDDEN')
    expect(engine.lists).toEqual([])
    const refusing = { ...engine, list: () => Promise.reject(new ServiceError('INVALID_QUERY', 'no number')) }
    expect(await codeOf(readKeys(refusing, administrator, readOf('site'), ['x']))).toBe('FORBIDDEN')
    const filtered = readOf('site', { filter: { id: 'y' } })
    expect(await codeOf(readKeys(refusing, administrator, filtered, ['x']))).toBe('INVALID_QUERY')
  })

  test('of a collection that the caller may not read are refused under the newest permissions only', async () => {
    const refused = engineWith([], [asSingleton], anonymous)
    expect(await codeOf(readKeys(refused, anonymous, readOf('site'), [1]))).toBe('FORBIDDEN')
    const allowed = engineWith(['{}'], [asSingleton], administrator)
    expect(await codeOf(readKeys(allowed, anonymous, readOf('site'), [1]))).toBe(null)
    expect([refused.lists.length, allowed.lists.length]).toEqual([0, 1])
  })
})
