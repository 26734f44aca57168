import { beforeEach, describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { codeOf, dataOf, type Answer } from '../lib/service.ts'
import { createUser, useWorld } from '../lib/world.ts'

const WRITER = 'token-of-a-writer'
const EACH = { prefer: 'results=each' }

describe.each(testDialects)('a list of rows on %s', (dialect) => {
  const { database, service } = useWorld({
    dialect,
    tables: [
      'create table shelves (id int not null primary key)',
      `create table books (id int not null primary key, title varchar(10) not null, isbn varchar(10) unique,
        shelf int references shelves (id))`,
    ],
    environment: { MAX_BATCH_MUTATION: '50' },
    prepare: async () => {
      const onBooks = (action: string, permissions: object, validation: object | null = null) => ({
        collection: 'books',
        action,
        fields: ['*'],
        permissions,
        validation,
      })
      const permissions = [
        onBooks('create', {}, { title: { _ncontains: 'x' } }),
        onBooks('read', { id: { _lt: 100 } }),
        onBooks('update', { id: { _lt: 100 } }),
      ]
      await createUser(service, permissions, WRITER)
    },
  })

  beforeEach(async () => {
    await database.query('delete from books')
    await database.query("insert into books values (1, 'One', 'i1', null), (200, 'Hidden', 'i200', null)")
  })

  const send = (method: string, rows: unknown, headers: Readonly<Record<string, string>> = EACH, token?: string) =>
    service.send(method, '/items/books?fields=id,title', rows, { headers, ...(token && { token }) })
  const keys = async () => (await database.query('select id from books order by id')).map(([id]) => Number(id))
  const parts = (answer: Answer) =>
    (dataOf(answer) as { status: number; data?: unknown; errors?: { extensions: Record<string, unknown> }[] }[]).map(
      ({ status, data, errors }) =>
        errors === undefined
          ? [status, data]
          : [status, errors.map(({ extensions: { code, field } }) => [code, field])],
    )

  describe('with results=each', () => {
    test('keeps the good ones and tells why the others are refused', async () => {
      const answer = await send('POST', [
        { id: 2, title: 'Two' },
        { id: 3, isbn: 'i3' },
        { id: 4, title: 'far too long a title' },
        { id: 5, title: 'Five', isbn: 'i1' },
        { id: 6, title: 'Six', shelf: 9 },
        { id: 'x', title: 'Seven' },
        { id: 8, title: 'Eight' },
      ])
      expect(answer.headers.get('preference-applied')).toBe('results=each')
      expect(parts(answer)).toEqual([
        [200, { id: 2, title: 'Two' }],
        [400, [['FAILED_VALIDATION', 'title']]],
        [400, [['VALUE_TOO_LONG', 'title']]],
        [400, [['RECORD_NOT_UNIQUE', 'isbn']]],
        [400, [['INVALID_FOREIGN_KEY', 'shelf']]],
        [400, [['INVALID_PAYLOAD', 'id']]],
        [200, { id: 8, title: 'Eight' }],
      ])
      expect(await keys()).toEqual([1, 2, 8, 200])
    })

    test('applies the permissions of the caller to each row', async () => {
      const answer = await send(
        'PATCH',
        [
          { id: 1, title: 'Uno' },
          { id: 200, title: 'Mine' },
          { id: 4711, title: 'None' },
        ],
        EACH,
        WRITER,
      )
      expect(parts(answer)).toEqual([
        [200, { id: 1, title: 'Uno' }],
        [403, [['FORBIDDEN', undefined]]],
        [403, [['FORBIDDEN', undefined]]],
      ])
      const [hidden, missing] = (dataOf(answer) as unknown[]).slice(1)
      expect(hidden).toEqual(missing)
      expect(await database.query('select title from books order by id')).toEqual([['Uno'], ['Hidden']])
    })

    test('upserts each row', async () => {
      const rows = [
        { id: 1, title: 'Uno' },
        { id: 2, title: 'Dos', isbn: 'i200' },
        { id: 3, title: 'Tres' },
      ]
      expect(parts(await send('PUT', rows))).toEqual([
        [200, { id: 1, title: 'Uno' }],
        [400, [['RECORD_NOT_UNIQUE', 'isbn']]],
        [200, { id: 3, title: 'Tres' }],
      ])
      expect(await keys()).toEqual([1, 3, 200])
    })

    test('records only the rows that are kept', async () => {
      const activity = async () =>
        (dataOf(await service.get('/activity?filter[collection]=books&limit=-1')) as unknown[]).length
      const before = await activity()
      await send('POST', [
        { id: 2, title: 'Two' },
        { id: 1, title: 'Again' },
        { id: 3, title: 'Three' },
      ])
      expect((await activity()) - before).toBe(2)
    })

    test('can be tried without being kept', async () => {
      const headers = { prefer: 'tx=rollback, results=each' }
      const answer = await send(
        'POST',
        [
          { id: 2, title: 'Two' },
          { id: 1, title: 'Again' },
        ],
        headers,
      )
      expect(answer.headers.get('preference-applied')).toBe('tx=rollback, results=each')
      expect(parts(answer).map(([status]) => status)).toEqual([200, 400])
      expect(await keys()).toEqual([1, 200])
    })

    test('returns the same results when it is repeated', async () => {
      const headers = { ...EACH, 'idempotency-key': `each-${dialect}` }
      const rows = [
        { id: 2, title: 'Two' },
        { id: 1, title: 'Again' },
      ]
      const first = await send('POST', rows, headers)
      const again = await send('POST', rows, headers)
      expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true'])
      expect(await keys()).toEqual([1, 2, 200])
    })

    test('needs a list of items, of a user collection, within the limit', async () => {
      expect(codeOf(await send('POST', { id: 2, title: 'Two' }))).toBe('INVALID_PAYLOAD')
      expect(codeOf(await send('PATCH', { keys: [1], data: { title: 'Two' } }))).toBe('INVALID_PAYLOAD')
      expect(codeOf(await service.send('POST', '/roles', [{ name: 'r' }], { headers: EACH }))).toBe('INVALID_PAYLOAD')
      expect(codeOf(await service.send('POST', '/batch', [], { headers: EACH }))).toBe('INVALID_PAYLOAD')
      const many = Array.from({ length: 51 }, (_, n) => ({ id: 300 + n, title: 'Many' }))
      expect(codeOf(await send('POST', many))).toBe('INVALID_PAYLOAD')
      expect(await keys()).toEqual([1, 200])
    })
  })

  describe('that is refused as a whole', () => {
    const errorsOf = (answer: Answer) =>
      (answer.body as { errors: { extensions: Record<string, unknown> }[] }).errors.map(
        ({ extensions: { code, field, row } }) => [code, field, row],
      )

    test('tells the position of every row that breaks a rule', async () => {
      const answer = await send('POST', [{ id: 2, title: 'Two' }, { id: 3 }, { id: 4, title: null }], {})
      expect(errorsOf(answer)).toEqual([
        ['FAILED_VALIDATION', 'title', 1],
        ['FAILED_VALIDATION', 'title', 2],
      ])
      const ruled = await send(
        'POST',
        [
          { id: 2, title: 'Two' },
          { id: 3, title: 'xxx' },
        ],
        {},
        WRITER,
      )
      expect(errorsOf(ruled)).toEqual([['FAILED_VALIDATION', 'title', 1]])
    })

    test.each([
      [
        'of the same form',
        [
          { id: 2, title: 'Two' },
          { id: 'x', title: 'Three' },
        ],
      ],
      [
        'of different forms',
        [
          { id: 2, title: 'Two' },
          { id: 'x', title: 'Three', isbn: 'i3' },
        ],
      ],
    ])('tells the position of a value that does not fit, in rows %s', async (_, rows) => {
      expect(errorsOf(await send('POST', rows, {}))).toEqual([['INVALID_PAYLOAD', 'id', 1]])
      expect(await keys()).toEqual([1, 200])
    })

    test('has no position if it has one row', async () => {
      expect(errorsOf(await send('POST', [{ id: 3 }], {}))).toEqual([['FAILED_VALIDATION', 'title', undefined]])
    })
  })
})
