import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '../../packages/server/src/access/actor.ts'
import type { Read } from '../../packages/server/src/engine/read.ts'
import { queryKeyOf } from '../../packages/server/src/query/keyed-query.ts'
import { parseQuery } from '../../packages/server/src/query/parse-query.ts'
import { testDialects, type TestDialect } from '../lib/databases.ts'
import { openStage, type Stage } from './stage.ts'

const types: Readonly<Record<TestDialect, string>> = {
  postgres: `amount numeric(12, 3), ratio double precision, large bigint, is_open boolean, day date, at timestamptz, local timestamp,
    hour time, document jsonb, code uuid, content bytea, label text`,
  sqlite: `amount decimal(12, 3), ratio real, large bigint, is_open boolean, day date, at timestamp, local datetime, hour time,
    document json, code uuid, content blob, label text`,
  mysql: `amount decimal(12, 3), ratio double, large bigint, is_open boolean, day date, at timestamp null, local datetime,
    hour time, document json, code uuid, content blob, label text`,
}

const rows = [
  {
    id: 1,
    amount: '10.500',
    ratio: 0.25,
    large: '9007199254740993',
    is_open: true,
    day: '2026-02-28',
    at: '2026-02-28T10:00:00Z',
    local: '2026-02-28T10:00:00',
    hour: '09:30:00',
    document: { a: [1, 'x'], b: null },
    code: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    content: 'AQID',
    label: 'Ärger "quoted" \\ back',
  },
  { id: 2, amount: '9.75', ratio: -3, large: 5, is_open: false, day: '2026-03-01', label: 'b', document: [1] },
  { id: 3 },
  { id: 4, amount: 100, large: -1, label: '', at: '2027-01-01T00:00:00Z', hour: '23:59:59', content: '' },
]

/** Conditions whose meaning depends on the type of a column: numbers and times do not compare as texts do. */
const conditions: readonly object[] = [
  { amount: { _gt: 9.9 } },
  { amount: { _eq: '10.5' } },
  { amount: { _in: ['9.750', 100] } },
  { ratio: { _lt: 0.3 } },
  { large: { _gt: '9007199254740992' } },
  { large: { _eq: 5 } },
  { is_open: { _eq: true } },
  { is_open: { _eq: false } },
  { day: { _gte: '2026-03-01' } },
  { 'year(day)': { _eq: 2026 } },
  { at: { _lt: '2026-12-31T00:00:00Z' } },
  { local: { _gt: '2026-01-01T00:00:00' } },
  { hour: { _lt: '10:00:00' } },
  { document: { _nnull: true } },
  { document: { _json: { 'a[1]': { _eq: 'x' } } } },
  { code: { _eq: '3F2504E0-4F89-41D3-9A0C-0305E82C3301' } },
  { content: { _nnull: true } },
  { label: { _contains: 'quoted' } },
  { label: { _istarts_with: 'ä' } },
  { label: { _empty: true } },
  { label: { _null: true } },
  { _or: [{ large: { _null: true } }, { amount: { _gt: 50 } }] },
]

/** The same question is asked of rows and of their images: the answers have to be the same. */
describe.each(testDialects)('images on %s', (dialect) => {
  let stage: Stage
  let actor: Actor
  let images: string[] = []

  beforeAll(async () => {
    stage = await openStage(dialect, `create table things (id integer primary key, ${types[dialect]});`)
    actor = await stage.actor('realtime-test-token')
    for (const row of rows) {
      const { status } = await stage.send('POST', '/items/things', row)
      if (status !== 200) throw new Error(`a row was answered ${status}`)
    }
    const { data } = await stage.send('GET', '/items/things?sort=id')
    images = (data as object[]).map((row) => JSON.stringify(row))
  })
  afterAll(() => stage.close())

  const readOf = (filter: object): Read => {
    const { query, values } = parseQuery({ fields: ['id'], filter, sort: ['id'] }, stage.core.parts.limits)
    return {
      collection: 'things',
      isSystem: false,
      query,
      queryKey: queryKeyOf(query),
      values,
      meta: [],
      cursor: null,
      key: null,
    }
  }

  test.each(conditions.map((condition) => [JSON.stringify(condition), condition] as const))(
    'are found by %s as rows are',
    async (_, condition) => {
      const { engine } = stage.core.parts
      const read = readOf(condition)
      const { rows: found } = await engine.list(actor, read)
      const expected = new Set(found.map((row) => (JSON.parse(row) as { id: number }).id - 1))
      const judged = await engine.watch.images(engine.watch.view(actor, read), images)
      expect(judged).toEqual({ shown: expected, keys: expected, unknown: new Set() })
    },
  )

  test('are unknown if they are not whole, or have values that do not fit', async () => {
    const { watch } = stage.core.parts.engine
    const whole = JSON.parse(images[0] ?? '{}') as Record<string, unknown>
    const broken = [JSON.stringify({ id: 1 }), JSON.stringify({ ...whole, day: 'never' }), images[0] ?? '']
    const judged = await watch.images(watch.view(actor, readOf({ id: { _eq: 1 } })), broken)
    expect(judged).toEqual({ shown: new Set([2]), keys: new Set([2]), unknown: new Set([0, 1]) })
  })
})
