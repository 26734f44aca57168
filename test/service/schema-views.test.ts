// Fields of tables that views use, and rows that violated a foreign key before any change.
import { describe, expect, test } from 'vitest'
import { testDialects, withDatabase } from '../lib/databases.ts'
import { codeOf, dataOf, openService, type Answer, type Service } from '../lib/service.ts'

const structure = `create table goods (id integer primary key, name varchar(40), price integer);
  insert into goods values (1, 'one', 10);
  create view prices as select id, price from goods`

const messageOf = ({ body }: Answer): string =>
  (body as { errors: { message: string }[] }).errors.map(({ message }) => message).join()

const withService = async (url: string, work: (service: Service) => Promise<void>): Promise<void> => {
  const service = await openService({ DATABASE_URL: url })
  await work(service).finally(() => service.stop())
}

describe.each(testDialects)('on %s', (dialect) => {
  test('a field of a table that a view mentions can be added, changed and removed', () =>
    withDatabase(async ({ url, query }) => {
      await query(structure)
      await withService(url, async (service) => {
        dataOf(await service.send('POST', '/fields/goods', { field: 'colour', type: 'string', schema: {} }))
        dataOf(await service.send('PATCH', '/fields/goods/colour', { schema: { max_length: 10 } }))
        expect((await service.send('DELETE', '/fields/goods/colour')).status).toBe(204)
        expect(dataOf(await service.get('/items/prices'))).toEqual([{ id: 1, price: 10 }])
      })
    }, dialect))

  test('a field that a view uses stays, and the refusal names the view', () =>
    withDatabase(async ({ url, query }) => {
      await query(structure)
      await withService(url, async (service) => {
        const answer = await service.send('DELETE', '/fields/goods/price')
        expect([answer.status, codeOf(answer)]).toEqual([422, 'UNPROCESSABLE_CONTENT'])
        expect(messageOf(answer)).toMatch(/\bprices\b/u)
      })
    }, dialect))
})

describe('on sqlite', () => {
  test('a view that selects everything does not keep a field', () =>
    withDatabase(async ({ url, query }) => {
      await query(`${structure}; create view everything as select * from goods`)
      await withService(url, async (service) => {
        expect((await service.send('DELETE', '/fields/goods/name')).status).toBe(204)
        expect(dataOf(await service.get('/items/everything'))).toEqual([{ id: 1, price: 10 }])
      })
    }, 'sqlite'))

  test('rows that referred to nothing before do not stop a change, rows that would afterwards do and are named', () =>
    withDatabase(async ({ url, query }) => {
      await query('pragma foreign_keys = off')
      await query(`create table makers (id integer primary key);
        create table goods (id integer primary key, maker integer references makers (id), extra text, other integer);
        insert into goods values (1, 77, 'x', 5)`)
      await withService(url, async (service) => {
        expect((await service.send('DELETE', '/fields/goods/extra')).status).toBe(204)
        const relation = { collection: 'goods', field: 'other', related_collection: 'makers', schema: {} }
        const answer = await service.send('POST', '/relations', relation)
        expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_FOREIGN_KEY'])
      })
    }, 'sqlite'))
})

test('a batch with a query in a path is told that paths take none', () =>
  withDatabase(async ({ url, query }) => {
    await query(structure)
    await withService(url, async (service) => {
      const entry = { method: 'PATCH', path: '/items/goods/1?fields=id', body: { name: 'x' } }
      expect(messageOf(await service.send('POST', '/batch', [entry]))).toContain('takes no query')
    })
  }, 'sqlite'))
