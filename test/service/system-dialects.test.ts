import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { codeOf, dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

const json = { headers: { 'content-type': 'application/json' } }

/** The system collections behave the same on every database, whatever its collation. */
describe.each(testDialects)('the own collections on %s', (dialect) => {
  const { database, service } = useWorld({
    dialect,
    tables: async (database) => {
      if (dialect === 'mysql') await database.query('alter database collate utf8mb4_general_ci')
      await database.query(`
      create table tags (id integer primary key, name varchar(20), color varchar(20), flag boolean, document json);
      insert into tags (id, name, color) values (1, 'math', 'red');`)
    },
  })

  const create = async (path: string, body: object) =>
    dataOf(await service.send('POST', path, body)) as Readonly<{ id: string }>

  test.each([
    ['roles', { name: 'A' }, { name: 'B' }],
    ['policies', { name: 'A' }, { name: 'B', ip_access: ['10.0.0.0/8'] }],
    ['users', { first_name: 'A' }, { first_name: 'B', tags: ['x'] }],
  ])('an item of /%s is changed, found among others and removed', async (path, made, change) => {
    const { id } = await create(`/${path}`, made)
    expect(dataOf(await service.send('PATCH', `/${path}/${id}`, change))).toMatchObject({ id, ...change })
    expect(dataOf(await service.get(`/${path}?filter[id][_in]=${id}&fields=id`))).toEqual([{ id }])
    expect((await service.send('DELETE', `/${path}/${id}`)).status).toBe(204)
  })

  test('panels are made with their dashboard, left out of it, and go with it', async () => {
    const panel = { type: 'metric', position_x: 1, position_y: 1, width: 6, height: 4, options: { collection: 'tags' } }
    const panels = [
      { ...panel, name: 'first' },
      { ...panel, name: 'second' },
    ]
    const board = await create('/dashboards?fields=*,panels.*', { name: 'Sales', panels })
    expect(board).toMatchObject({ icon: 'dashboard', panels: [{ show_header: false, options: panel.options }, {}] })
    const names = async () => dataOf(await service.get('/panels?fields=name&sort=name'))
    const [first] = (board as unknown as { panels: { id: string }[] }).panels
    dataOf(await service.send('PATCH', `/dashboards/${board.id}`, { panels: [{ id: first?.id, name: 'only' }] }))
    expect(await names()).toEqual([{ name: 'only' }])
    expect((await service.send('DELETE', `/dashboards/${board.id}`)).status).toBe(204)
    expect(await names()).toEqual([])
  })

  test('whoever loses the role by its end is suspended', async () => {
    const role = await create('/roles', { name: 'leaving' })
    const user = await create('/users', { role: role.id })
    expect((await service.send('DELETE', `/roles/${role.id}`)).status).toBe(204)
    expect(dataOf(await service.get(`/users/${user.id}?fields=role,status`))).toEqual({
      role: null,
      status: 'suspended',
    })
  })

  /** Creates a user who may read tags and update some of their fields. Returns the token. */
  async function somebody(fields: readonly string[]): Promise<string> {
    const token = `token-of-${fields.join()}`
    const permissions = [
      { collection: 'tags', action: 'read', fields: ['*'] },
      { collection: 'tags', action: 'update', fields },
    ]
    const policy = await create('/policies', { name: 'some', permissions })
    await create('/users', { token, policies: { create: [{ policy: policy.id }] } })
    return token
  }

  test('a permission names fields in a list, and PUT needs the one for what exists', async () => {
    const token = await somebody(['color'])
    const put = (key: number, body: object) => service.send('PUT', `/items/tags/${key}`, body, { token })
    expect(dataOf(await service.get('/permissions?filter[action][_eq]=update&fields=fields'))).toEqual([
      { fields: ['color'] },
    ])
    expect(dataOf(await put(1, { color: 'white' }))).toMatchObject({ id: 1, name: 'math', color: 'white' })
    expect(codeOf(await put(1, { name: 'renamed' }))).toBe('FORBIDDEN')
    expect(codeOf(await put(90, { color: 'white' }))).toBe('FORBIDDEN')
    expect(await database.query('select id, name, color from tags')).toEqual([['1', 'math', 'white']])
  })

  test.each(['name', 'document'])('half of a character is no value of %s', async (field) => {
    expect(codeOf(await service.send('PATCH', '/items/tags/1', `{"${field}":"\\ud800"}`, json))).toBe('INVALID_PAYLOAD')
    expect((await service.send('PATCH', '/items/tags/1', `{"${field}":"\\ud83d\\ude00"}`, json)).status).toBe(200)
  })

  test('revisions keep the values that were sent, each of its kind', async () => {
    const change = { flag: true, document: { list: [1, 'two', null] } }
    dataOf(await service.send('PATCH', '/items/tags/1', change))
    const revisions = await service.get('/revisions?filter[collection][_eq]=tags&sort=-id&limit=1&fields=delta')
    expect(dataOf(revisions)).toEqual([{ delta: change }])
    expect(dataOf(await service.get('/items/tags/1?fields=flag,document'))).toEqual(change)
    dataOf(await service.send('PATCH', '/items/tags/1', { document: 'text' }))
    expect(dataOf(await service.get('/items/tags/1?fields=document'))).toEqual({ document: 'text' })
  })
})
