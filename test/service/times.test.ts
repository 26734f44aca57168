import { describe, expect, test } from 'vitest'
import { testDialects, type TestDialect } from '../lib/databases.ts'
import { codeOf, dataOf, queryOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

const types: Readonly<Record<TestDialect, readonly [clock: string, zoned: string, time: string]>> = {
  postgres: ['timestamp', 'timestamptz', 'time'],
  mysql: ['datetime(6)', 'timestamp(6)', 'time(6)'],
  sqlite: ['datetime', 'timestamp', 'time'],
}

const schema = (dialect: TestDialect) => {
  const [clock, zoned, time] = types[dialect]
  const text = dialect === 'mysql' ? 'varchar(100)' : 'text'
  return `
    create table events (at ${clock} primary key, zoned ${zoned}, clock ${time}, label ${text});
    insert into events values
      ('2026-03-04 05:06:07.123456', '2026-03-04 05:06:07.123456', '05:06:07.5', 'micro'),
      ('2026-03-04 05:06:07.250', '2026-03-04 05:06:07.250', '05:06:07.123456', 'milli'),
      ('2026-03-04 05:06:08', '2026-03-04 05:06:08', '05:06:08', 'whole');
    create table costs (
      product integer, since ${zoned}, cost integer, note ${text}, primary key (product, since));
    insert into costs values (707, '2026-03-04 05:06:07.000001', 10, 'first'), (707, '2026-03-04 05:06:07.500', 11, 'second');
    create table uses (
      id integer primary key, product integer, since ${zoned}, note ${text},
      foreign key (product, since) references costs (product, since));
    insert into uses values (1, 707, '2026-03-04 05:06:07.000001', 'one'), (2, 707, '2026-03-04 05:06:07.500', 'two');
    create table notes (id integer primary key, event ${clock} references events (at), text ${text});
    insert into notes values (1, '2026-03-04 05:06:07.123456', 'about micro'), (2, '2026-03-04 05:06:08', 'about whole')`
}

const micro = {
  at: '2026-03-04T05:06:07.123456',
  zoned: '2026-03-04T05:06:07.123456Z',
  clock: '05:06:07.500',
  label: 'micro',
}
const milli = {
  at: '2026-03-04T05:06:07.250',
  zoned: '2026-03-04T05:06:07.250Z',
  clock: '05:06:07.123456',
  label: 'milli',
}
const whole = { at: '2026-03-04T05:06:08', zoned: '2026-03-04T05:06:08.000Z', clock: '05:06:08', label: 'whole' }
const events = [micro, milli, whole]

describe.each(testDialects)('times on %s', (dialect) => {
  const { database, service } = useWorld({ dialect, tables: schema(dialect) })

  const read = async (path: string) => dataOf(await service.get(path))
  const ask = async (collection: string, query: object) => dataOf(await service.search(collection, query))
  const graphql = async (query: string) => {
    const { body } = await service.send('POST', '/graphql', { query })
    expect(body).not.toHaveProperty('errors')
    return (body as { data: unknown }).data
  }

  test('a fraction is shown when there is one, with three digits or six', async () => {
    expect(await read('/items/events?sort=at')).toEqual(events)
    expect(await graphql('{ events(sort: ["at"]) { at zoned clock label } }')).toEqual({ events })
  })

  test('nested rows, keys, extremes and groups show the same', async () => {
    const rows = await read('/items/notes?sort=id&fields=id,event.*,event.notes.event,event.notes.id')
    expect(rows).toMatchObject([
      { id: 1, event: { ...micro, notes: [{ id: 1, event: micro.at }] } },
      { id: 2, event: { ...whole, notes: [{ id: 2, event: whole.at }] } },
    ])
    expect(await read('/items/notes?sort=id&fields=event')).toEqual([{ event: micro.at }, { event: whole.at }])
    expect(await read('/items/events?aggregate[min]=at,zoned,clock&aggregate[max]=at,zoned,clock')).toEqual([
      {
        min: { at: micro.at, zoned: micro.zoned, clock: milli.clock },
        max: { at: whole.at, zoned: whole.zoned, clock: whole.clock },
      },
    ])
    const groups = await read('/items/events?aggregate[count]=*&groupBy=zoned,clock&sort=zoned')
    expect(groups).toMatchObject(events.map(({ zoned, clock }) => ({ zoned, clock })))
  })

  test.each(['csv', 'json', 'xml', 'yaml'])('an export as %s shows the same', async (format) => {
    const { text } = await service.get(`/items/events?export=${format}&sort=at`)
    for (const { at, zoned, clock } of events) for (const value of [at, zoned, clock]) expect(text).toContain(value)
    expect(text).not.toContain('.250000')
  })

  test('a row is found by the key that was shown', async () => {
    for (const event of events) {
      expect(await read(`/items/events/${encodeURIComponent(event.at)}`)).toEqual(event)
      expect(await ask('events', { filter: { at: { _eq: event.at } } })).toEqual([event])
      expect(await ask('events', { filter: { zoned: { _in: [event.zoned] }, clock: { _eq: event.clock } } })).toEqual([
        event,
      ])
    }
    expect((await service.get('/items/events/2026-03-04T05:06:07')).status).toBe(403)
  })

  test('a row is found by a key of several parts, in addresses, lists and relations', async () => {
    const keys = (await read('/items/costs?sort=since')) as { product: number; since: string; note: string }[]
    expect(keys.map(({ since }) => since)).toEqual(['2026-03-04T05:06:07.000001Z', '2026-03-04T05:06:07.500Z'])
    for (const { product, since, note } of keys)
      expect(await read(`/items/costs/${product},${encodeURIComponent(since)}`)).toMatchObject({ note })
    const shown = await graphql('{ costs(sort: ["since"]) { note uses { note } } }')
    expect(shown).toEqual({
      costs: [
        { note: 'first', uses: [{ note: 'one' }] },
        { note: 'second', uses: [{ note: 'two' }] },
      ],
    })
    expect(await read('/items/uses?sort=id&fields=note,costs.note,costs.since')).toEqual([
      { note: 'one', costs: { note: 'first', since: keys[0]?.since } },
      { note: 'two', costs: { note: 'second', since: keys[1]?.since } },
    ])
  })

  test('pages by cursor lose no row, however close two moments are', async () => {
    let cursor: string | null = ''
    const seen: unknown[] = []
    for (let page = 0; cursor !== null && page < 9; page += 1) {
      const parameters = { fields: 'note', sort: '-since', limit: 1, meta: 'cursor' }
      const answer = await service.get(
        `/items/costs?${queryOf({ ...parameters, ...(cursor === '' ? {} : { cursor }) })}`,
      )
      const { data, meta } = answer.body as { data: unknown[]; meta: { next_cursor: string | null } }
      seen.push(...data)
      cursor = meta.next_cursor
    }
    expect(seen).toEqual([{ note: 'second' }, { note: 'first' }])
  })

  test('sending back what was read changes nothing', async () => {
    const stored = async () => [
      await database.query('select * from events order by label'),
      await database.query('select * from costs order by note'),
      await database.query('select * from uses order by id'),
    ]
    const before = await stored()
    for (const event of events)
      expect(dataOf(await service.send('PATCH', `/items/events/${encodeURIComponent(event.at)}`, event))).toEqual(event)
    for (const row of (await read('/items/costs')) as { product: number; since: string }[]) {
      const path = `/items/costs/${row.product},${encodeURIComponent(row.since)}`
      expect(dataOf(await service.send('PATCH', path, row))).toEqual(row)
    }
    const uses = (await read('/items/uses?fields=id,product,since,note&sort=id')) as object[]
    expect(dataOf(await service.send('PATCH', '/items/uses', uses))).toMatchObject(uses)
    dataOf(await service.send('PUT', '/items/events', events))
    expect(await stored()).toEqual(before)
  })

  test('a composite foreign key is accepted as it was shown', async () => {
    const [, second] = (await read('/items/costs?sort=since')) as { product: number; since: string }[]
    const created = await service.send('POST', '/items/uses', { id: 9, ...second, cost: undefined, note: 'nine' })
    expect(dataOf(created)).toMatchObject({ since: second?.since })
    expect(
      dataOf(await service.send('PATCH', '/items/uses/9', { since: '2026-03-04T05:06:07.000001Z' })),
    ).toMatchObject({ since: '2026-03-04T05:06:07.000001Z' })
    const wrong = await service.send('PATCH', '/items/uses/9', { since: '2026-03-04T05:06:07.000Z' })
    expect(codeOf(wrong)).toBe('INVALID_FOREIGN_KEY')
    expect((await service.send('DELETE', '/items/uses/9')).status).toBe(204)
  })

  test('rows are written, linked and deleted by such keys', async () => {
    const at = '2030-01-01T00:00:00.000001'
    const path = `/items/events/${encodeURIComponent(at)}`
    expect(dataOf(await service.send('POST', '/items/events', { at, label: 'new' }))).toMatchObject({ at })
    expect(dataOf(await service.send('POST', '/items/notes', { id: 9, event: { at, label: 'linked' } }))).toMatchObject(
      {
        event: at,
      },
    )
    expect(await read(path)).toMatchObject({ label: 'linked' })
    const { headers } = await service.get(path)
    const match = { headers: { 'if-match': headers.get('etag') ?? '' } }
    expect((await service.send('PATCH', path, { label: 'seen' }, match)).status).toBe(200)
    expect((await service.send('PATCH', path, { label: 'lost' }, match)).status).toBe(412)
    const query = { filter: { at: { _eq: at } } }
    dataOf(await service.send('PATCH', '/items/events', { query, data: { label: 'by query' } }))
    expect(await read(path)).toMatchObject({ label: 'by query' })
    expect((await service.send('DELETE', '/items/notes/9')).status).toBe(204)
    expect((await service.send('DELETE', '/items/events', [at])).status).toBe(204)
    const items = await read(
      `/activity?${queryOf({ filter: { collection: { _eq: 'events' }, item: { _eq: at } }, sort: 'id', fields: 'action' })}`,
    )
    expect(items).toEqual(['create', 'update', 'update', 'update', 'delete'].map((action) => ({ action })))
  })

  test('a revision keeps times as they are shown, and brings them back', async () => {
    const path = `/items/events/${encodeURIComponent(micro.at)}`
    dataOf(await service.send('PATCH', path, { label: 'kept' }))
    const query = {
      filter: { collection: { _eq: 'events' }, item: { _eq: micro.at } },
      sort: '-id',
      limit: 1,
      fields: 'id,data',
    }
    const [revision] = (await read(`/revisions?${queryOf(query)}`)) as { id: number; data: unknown }[]
    expect(revision?.data).toEqual({ ...micro, label: 'kept' })
    dataOf(await service.send('PATCH', path, { label: 'micro', zoned: null, clock: null }))
    expect((await service.send('POST', `/utils/revert/${revision?.id}`)).status).toBe(204)
    expect(await read(path)).toEqual({ ...micro, label: 'kept' })
    dataOf(await service.send('PATCH', path, micro))
  })

  test('a composite key in activity is the one that addresses the row', async () => {
    const [first] = (await read('/items/costs?sort=since')) as { product: number; since: string; cost: number }[]
    const path = `/items/costs/${first?.product},${encodeURIComponent(first?.since ?? '')}`
    dataOf(await service.send('PATCH', path, { cost: first?.cost }))
    const query = { filter: { collection: { _eq: 'costs' } }, sort: '-id', limit: 1, fields: 'item' }
    expect(await read(`/activity?${queryOf(query)}`)).toEqual([{ item: `${first?.product},${first?.since}` }])
  })

  test.each([
    ['at', 'yesterday'],
    ['at', 'now'],
    ['at', 'today'],
    ['at', '20260304T050607Z'],
    ['at', 'March 4, 2026'],
    ['at', '2026-02-30'],
    ['at', '2026'],
    ['zoned', 'tomorrow'],
    ['zoned', '2026-03-04T05:06:07 Europe/Berlin'],
    ['zoned', 'epoch'],
    ['clock', 'allballs'],
    ['clock', '05:06 AM'],
    ['clock', '25:61:00'],
  ])('%s takes no %s, in filters or payloads', async (field, value) => {
    for (const operator of ['_eq', '_gt', '_in', '_between']) {
      const operand = operator === '_in' || operator === '_between' ? [value, value] : value
      const answer = await service.search('events', { filter: { [field]: { [operator]: operand } } })
      expect([operator, answer.status, codeOf(answer)]).toEqual([operator, 400, 'INVALID_QUERY'])
      expect(answer.text).toContain(`\\"${field}\\"`)
    }
    const written = await service.send('POST', '/items/events', { at: '2031-01-01', [field]: value })
    expect([written.status, codeOf(written)]).toEqual([400, 'INVALID_PAYLOAD'])
    expect(written.text).toContain(`\\"${field}\\"`)
  })

  test.each([
    ['2026-03-04T05:06:08Z', 1],
    ['2026-03-04T06:06:08+01:00', 1],
    ['2026-03-04 05:06:08', 1],
    ['2026-03-04T05:06:07.250000', 1],
    ['2026-03-04T05:06', 0],
    ['2026-03-04', 0],
    ['$NOW', 0],
    ['$NOW(-1 year)', 0],
  ])('every database finds %s in a filter', async (value, count) => {
    expect(await ask('events', { filter: { zoned: { _eq: value } } })).toHaveLength(count)
  })
})

describe.runIf(testDialects.includes('postgres'))('times of PostgreSQL alone', () => {
  const { database, service } = useWorld({
    dialect: 'postgres',
    tables: `
      create table spans (since timestamptz primary key, until timestamp, day date, label text);
      insert into spans values ('-infinity', 'infinity', 'infinity', 'all'), ('0044-03-15 BC', '0044-03-15 BC', '0044-03-15 BC', 'ides'),
        ('12345-01-02 03:04:05.5', '12345-01-02 03:04:05.5', '12345-01-02', 'far');
      create table parts (id integer primary key, span timestamptz references spans);
      insert into parts values (1, '-infinity'), (2, '0044-03-15 BC'), (3, '12345-01-02 03:04:05.5');
      create table logs (id bigint, at timestamptz, text text, primary key (id, at)) partition by range (at);
      create table logs_1 partition of logs for values from ('2026-01-01') to ('2027-01-01');
      insert into logs values (1, '2026-05-05 05:05:05.000005', 'partitioned')`,
  })

  test('infinities are words, and every moment that is shown finds its row and goes back', async () => {
    const rows = dataOf(await service.get('/items/spans?sort=since')) as Record<string, string>[]
    expect(rows[0]).toEqual({ since: '-infinity', until: 'infinity', day: 'infinity', label: 'all' })
    expect(rows[2]).toEqual({
      since: '12345-01-02T03:04:05.500Z',
      until: '12345-01-02T03:04:05.500',
      day: '12345-01-02',
      label: 'far',
    })
    const nested = dataOf(await service.get('/items/parts?fields=span.*&sort=id'))
    expect(nested).toEqual(rows.map((span) => ({ span })))
    const before = await database.query('select * from spans order by since')
    for (const row of rows) {
      const path = `/items/spans/${encodeURIComponent(row['since'] ?? '')}`
      expect(dataOf(await service.send('PATCH', path, row))).toEqual(row)
      for (const field of ['since', 'until', 'day'])
        expect(dataOf(await service.search('spans', { filter: { [field]: { _eq: row[field] } } }))).toEqual([row])
    }
    expect(await database.query('select * from spans order by since')).toEqual(before)
  })

  test('a row of a partition is found by its key', async () => {
    const [row] = dataOf(await service.get('/items/logs')) as [{ id: string; at: string }]
    expect(row.at).toBe('2026-05-05T05:05:05.000005Z')
    const path = `/items/logs/${row.id},${encodeURIComponent(row.at)}`
    expect(dataOf(await service.get(path))).toEqual(row)
    expect(dataOf(await service.send('PATCH', path, row))).toEqual(row)
  })
})

describe.runIf(testDialects.includes('sqlite'))('times in the forms that SQLite files hold', () => {
  const { database, service } = useWorld({
    dialect: 'sqlite',
    tables: `
      create table ticks (at timestamp primary key, local datetime, label text);
      insert into ticks values
        (1700000000123, '2024-01-01T10:00', 'milliseconds'),
        (1700000000, 1700000000.5, 'seconds'),
        ('2024-01-01T10:00:00+02:00', '2024-01-01 10:00:00.000001', 'text'),
        ('soon', 'never', 'words');
      create table marks (id integer primary key, tick timestamp references ticks (at));
      insert into marks values (1, 1700000000123), (2, '2024-01-01T10:00:00+02:00'), (3, 'soon')`,
  })

  const shown = [
    { at: '2023-11-14T22:13:20.123Z', local: '2024-01-01T10:00:00', label: 'milliseconds' },
    { at: '2023-11-14T22:13:20.000Z', local: '2023-11-14T22:13:20.500', label: 'seconds' },
    { at: '2024-01-01T08:00:00.000Z', local: '2024-01-01T10:00:00.000001', label: 'text' },
    { at: 'soon', local: 'never', label: 'words' },
  ]

  test('each is shown alike at the top and nested, and what is no time as it is', async () => {
    expect(dataOf(await service.get('/items/ticks?sort=label'))).toEqual(shown)
    expect(dataOf(await service.get('/items/marks?fields=tick.*&sort=id'))).toEqual(
      [shown[0], shown[2], shown[3]].map((tick) => ({ tick })),
    )
  })

  test('a foreign key takes a time in the form its parent is stored in, which a link by object finds', async () => {
    const [first] = shown
    const plain = await service.send('POST', '/items/marks', { id: 8, tick: first?.at })
    expect(codeOf(plain)).toBe('INVALID_FOREIGN_KEY')
    expect(dataOf(await service.send('POST', '/items/marks', { id: 9, tick: { at: first?.at } }))).toEqual({
      id: 9,
      tick: first?.at,
    })
    expect((await service.send('DELETE', '/items/marks/9')).status).toBe(204)
  })

  test('each row is found by the key that is shown, and a change keeps the stored form', async () => {
    for (const tick of shown) {
      const path = `/items/ticks/${encodeURIComponent(tick.at)}`
      expect(dataOf(await service.get(path))).toEqual(tick)
      const { local, ...rest } = tick
      const sent = local === 'never' ? { label: rest.label } : { ...rest, local }
      if (tick.at === 'soon') delete (sent as Record<string, unknown>)['at']
      expect(dataOf(await service.send('PATCH', path, sent))).toEqual(tick)
    }
    expect(await database.query('select at, local, typeof(at), typeof(local) from ticks order by label')).toEqual([
      ['1700000000123', '2024-01-01T10:00', 'integer', 'text'],
      ['1700000000', '1700000000.5', 'integer', 'real'],
      ['2024-01-01T10:00:00+02:00', '2024-01-01 10:00:00.000001', 'text', 'text'],
      ['soon', 'never', 'text', 'text'],
    ])
    const [first] = shown
    const query = { filter: { label: { _eq: 'milliseconds' } } }
    dataOf(await service.send('PATCH', '/items/ticks', { query, data: { local: first?.local } }))
    expect((await service.send('DELETE', '/items/marks', [1])).status).toBe(204)
    expect((await service.send('DELETE', `/items/ticks/${encodeURIComponent(first?.at ?? '')}`)).status).toBe(204)
  })
})
