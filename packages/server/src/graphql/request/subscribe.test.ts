import { describe, expect, test } from 'vitest'
import { ServiceError } from '@tain/contract'
import { library } from '../../testing/schema.ts'
import { administrator } from '../../access/actor.ts'
import { readConfig } from '../../config.ts'
import type { Audience, Hub, Told, Wish } from '../../realtime/hub.ts'
import { createGraphql, type GraphqlCall, type GraphqlOptions, type GraphqlReply } from '../endpoint.ts'
import type { ChangeResults } from './subscribe.ts'

const endpoint = (hasSubscriptions = true) =>
  createGraphql({
    config: readConfig({ DATABASE_URL: 'postgres://nobody@127.0.0.1/none' }),
    limits: { limitDefault: 100, limitMax: null, depth: 10, jsonDepth: 10, listLength: 100 },
    responseSize: 1024 ** 2,
    hasSubscriptions,
    services: {
      engine: { schema: () => library, renew: async (actor: unknown) => actor },
      system: { systemCollections: [] },
      procedures: {},
    } as unknown as GraphqlOptions['services'],
    onUnexpected: (error) => {
      throw error instanceof Error ? error : new Error(String(error))
    },
  })

const callOf = (query: string, variables?: unknown): GraphqlCall => ({
  scope: 'items',
  isSafe: false,
  isViewed: false,
  isExplained: false,
  query,
  variables,
  operationName: undefined,
  extensions: undefined,
  actor: administrator,
  origin: { ip: null, userAgent: null },
  visitor: {} as GraphqlCall['visitor'],
  isDryRun: false,
  signal: new AbortController().signal,
})

const audience: Audience = { actor: () => administrator }

/** A hub with one subscription, which tells what the test says. */
function createHeard() {
  const heard = { wish: null as Wish | null, tell: (() => {}) as (told: Told) => void, isClosed: false }
  const hub: Hub = {
    subscribe: async (_, wish, tell) => {
      Object.assign(heard, { wish, tell })
      return { close: () => (heard.isClosed = true) }
    },
    place: () => Promise.reject(new Error('nobody asks')),
    changed: () => {},
    start: () => {},
    stop: async () => {},
  }
  return { heard, hub }
}

async function opened(query: string, variables?: unknown) {
  const { heard, hub } = createHeard()
  const answer = await endpoint().open(callOf(query, variables), {
    hub,
    audience,
    arrived: Promise.resolve({ epoch: 'e', number: 7 }),
  })
  if (answer.kind !== 'changes') throw new Error('it is no subscription')
  return { heard, changes: answer.changes }
}

const dataOf = async (changes: ChangeResults) => {
  const { value } = await changes.next()
  return JSON.parse(JSON.stringify(value?.data)) as unknown
}

const told = (kind: 'create' | 'update' | 'delete', rows: readonly (readonly [string, unknown])[]): Told => ({
  kind,
  data: '',
  position: 'e-7',
  rows: rows.map(([key, row]) => ({ key, json: row === null ? null : JSON.stringify(row) })),
})

async function textOf(pieces: GraphqlReply): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

describe('the schema', () => {
  test('has a root field and a type for each collection', async () => {
    const text = await textOf(await endpoint().sdl('items', administrator))
    expect(text).toContain(
      '  articles_mutated(event: EventEnum, filter: articles_filter, from: String): articles_mutated\n',
    )
    expect(text).toMatch(/enum EventEnum \{\n {2}create\n {2}update\n {2}delete\n\}/u)
    expect(text.replaceAll(/ {2}"""[^"]*"""\n/gu, '')).toMatch(
      /type articles_mutated \{\s+key: ID!\s+event: EventEnum\s+data: articles\s+position: String!\s+\}/u,
    )
  })

  test('tells introspection of its subscriptions, and has none where nobody can subscribe', async () => {
    const query = '{ shown: __schema { subscriptionType { name fields { name } } } }'
    const shown = JSON.parse(await textOf(await endpoint().run(callOf(query)))) as Shown
    expect(shown.data.shown.subscriptionType?.fields.map(({ name }) => name)).toContain('articles_mutated')
    const without = JSON.parse(await textOf(await endpoint(false).run(callOf(query)))) as Shown
    expect(without.data.shown.subscriptionType).toBeNull()
  })

  test('names the settings without which there are none', async () => {
    const refusal = endpoint(false).run(callOf('subscription { articles_mutated { key } }'))
    await expect(refusal).rejects.toMatchObject({
      code: 'GRAPHQL_VALIDATION',
      details: { errors: [{ message: expect.stringContaining('(WEBSOCKETS_ENABLED, ') as string }] },
    })
  })
})

interface Shown {
  readonly data: {
    readonly shown: { readonly subscriptionType: { readonly fields: { readonly name: string }[] } | null }
  }
}

describe('a subscription', () => {
  test('asks the hub for the selected fields, without first rows', async () => {
    const { heard } = await opened(
      'subscription ($e: EventEnum, $f: String) { articles_mutated(event: $e, from: $f, filter: { title: { _eq: "x" } }) { key data { id author { name } } } }',
      { e: 'update', f: 'abc-12' },
    )
    expect(heard.wish).toMatchObject({
      collection: 'articles',
      isSystem: false,
      event: 'update',
      from: { epoch: 'abc', number: 12 },
      item: null,
      isLive: false,
      hasInit: false,
    })
    expect(heard.wish?.query.query.filter).toMatchObject({ field: { name: 'title' } })
    expect(heard.wish?.query.query.select.map((selection) => 'as' in selection && selection.as)).toEqual([
      'id',
      'author',
    ])
    expect(heard.wish?.query.values).toContain('x')
  })

  test('tells each row by itself, and null after a delete', async () => {
    const { heard, changes } = await opened(
      'subscription { a: articles_mutated { key e: event data { title } position } }',
    )
    heard.tell(
      told('update', [
        ['1', { title: 'x' }],
        ['2', { title: 'y' }],
      ]),
    )
    heard.tell(told('delete', [['3', null]]))
    expect(await dataOf(changes)).toEqual({ a: { key: '1', e: 'update', data: { title: 'x' }, position: 'e-7' } })
    expect(await dataOf(changes)).toEqual({ a: { key: '2', e: 'update', data: { title: 'y' }, position: 'e-7' } })
    expect(await dataOf(changes)).toEqual({ a: { key: '3', e: 'delete', data: null, position: 'e-7' } })
  })

  test('keeps several selections of data apart', async () => {
    const { heard, changes } = await opened(
      'subscription { articles_mutated { one: data { x: id } two: data { x: title } __typename } }',
    )
    expect(heard.wish?.query.query.select).toMatchObject([
      { name: 'id', as: '_0_x' },
      { name: 'title', as: '_1_x' },
    ])
    heard.tell(told('create', [['1', { _0_x: '1', _1_x: 'x' }]]))
    expect(await dataOf(changes)).toEqual({
      articles_mutated: { one: { x: '1' }, two: { x: 'x' }, __typename: 'articles_mutated' },
    })
  })

  test('keeps all digits', async () => {
    const { heard, changes } = await opened('subscription { articles_mutated { data { id } } }')
    heard.tell({ ...told('create', []), rows: [{ key: '1', json: '{"id":12345678901234567890.125}' }] } as Told)
    expect(JSON.stringify((await changes.next()).value)).toContain('12345678901234567890.125')
  })

  test('reads no field of the item if only the key is asked for', async () => {
    const { heard, changes } = await opened('subscription { articles_mutated { key } }')
    expect(heard.wish?.query.query.select).toMatchObject([{ kind: 'constant' }])
    heard.tell(told('create', [['1', { __typename: '' }]]))
    expect(await dataOf(changes)).toEqual({ articles_mutated: { key: '1' } })
  })

  test('ends with the error of the hub', async () => {
    const { heard, changes } = await opened('subscription { articles_mutated { key } }')
    heard.tell({ kind: 'error', error: new ServiceError('FORBIDDEN') })
    await expect(changes.next()).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(heard.isClosed).toBe(true)
  })

  test('ends with POSITION_GONE if it cannot go on', async () => {
    const { heard, changes } = await opened('subscription { articles_mutated(from: "abc-12") { key } }')
    heard.tell({ kind: 'init', data: null, meta: null, position: 'e-9', isResumed: false })
    await expect(changes.next()).rejects.toMatchObject({ code: 'POSITION_GONE' })
  })

  test('closes at the hub when its consumer returns', async () => {
    const { heard, changes } = await opened('subscription { articles_mutated { key } }')
    const next = changes.next()
    await changes.return?.()
    expect((await next).done).toBe(true)
    expect(heard.isClosed).toBe(true)
  })

  test.each([
    ['two root fields', 'subscription { articles_mutated { key } authors_mutated { key } }', 'GRAPHQL_VALIDATION'],
    ['an unknown collection', 'subscription { nothing_mutated { key } }', 'GRAPHQL_VALIDATION'],
    ['an unknown event', 'subscription { articles_mutated(event: read) { key } }', 'GRAPHQL_VALIDATION'],
    ['no position', 'subscription { articles_mutated(from: "x") { key } }', 'INVALID_PAYLOAD'],
  ])('is refused for %s', async (_, query, code) => {
    await expect(opened(query)).rejects.toMatchObject({ code })
  })

  test('is refused without a socket, also by GET', async () => {
    const call = callOf('subscription { articles_mutated { key } }')
    for (const isSafe of [true, false])
      await expect(endpoint().run({ ...call, isSafe })).rejects.toMatchObject({ code: 'GRAPHQL_VALIDATION' })
  })
})
