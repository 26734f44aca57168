import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { codeOf, dataOf, type Answer } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

const MOST = 20_000
const LONG = 'x'.repeat(500)

const expectRefused = (answer: Answer) => {
  expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_QUERY'])
  expect(answer.text).toContain('MAX_RESPONSE_SIZE')
  expect(answer.text).toContain(String(MOST))
}

describe.each(testDialects)('the size of an answer on %s', (dialect) => {
  const { service } = useWorld({
    dialect,
    tables: async (database) => {
      await database.query('create table parents (id integer primary key, name varchar(10))')
      await database.query(
        'create table children (id integer primary key, parent integer, text varchar(600), foreign key (parent) references parents (id))',
      )
      await database.query("insert into parents values (1, 'one'), (2, 'two')")
      const rows = Array.from({ length: 100 }, (_, index) => `(${index + 1}, 1, '${LONG}')`)
      await database.query(`insert into children values ${rows.join(', ')}`)
    },
    environment: { MAX_RESPONSE_SIZE: String(MOST), DB_POOL_MAX: '2' },
  })

  test('is limited while its rows are read', async () => {
    for (let again = 0; again < 5; again += 1) expectRefused(await service.get('/items/children'))
    expectRefused(await service.get('/items/children?limit=-1&fields=text'))
    expect(dataOf(await service.get('/items/children?limit=3'))).toHaveLength(3)
  })

  test('is limited within one nested cell', async () => {
    expectRefused(await service.get('/items/parents/1?fields=children.text'))
    expectRefused(await service.get('/items/parents?limit=1&fields=children.parent.children.id,children.text'))
    expect(dataOf(await service.get('/items/parents/2?fields=children.text'))).toEqual({ children: [] })
  })

  test('is limited over GraphQL, root fields together', async () => {
    const ask = async (query: string) => (await service.send('POST', '/graphql', { query })).text
    expect(await ask('{ children { text } }')).toContain('MAX_RESPONSE_SIZE')
    expect(await ask('{ a: children(limit: 30) { text } b: children(limit: 30) { text } }')).toContain(
      'MAX_RESPONSE_SIZE',
    )
    expect(await ask('{ children(limit: 3) { text } }')).not.toContain('errors')
  })

  test('takes a write back whose answer is too large', async () => {
    const items = Array.from({ length: 60 }, (_, index) => ({ id: 1000 + index, parent: 2, text: LONG }))
    expectRefused(await service.send('POST', '/items/children?fields=*,parent.name', items))
    expect(dataOf(await service.get('/items/children?filter[id][_gte]=1000&fields=id'))).toEqual([])
  })

  test('does not hold for exports, which are streamed', async () => {
    const { status, text } = await service.get('/items/children?limit=-1&export=csv')
    expect([status, text.split('\n').length > 100]).toEqual([200, true])
  })

  test('leaves the service as it was', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        service.get(index % 2 === 0 ? '/items/children' : '/items/children?limit=2'),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map((_, index) => (index % 2 === 0 ? 400 : 200)))
    expect((await service.get('/server/health')).status).toBe(200)
  })
})
