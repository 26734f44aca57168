import { describe, expect, test } from 'vitest'
import { createDatabase, testDialects } from '../lib/databases.ts'
import { faultsIn, noFaults } from '../openapi/validators.ts'
import { dataOf, openService } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

interface Document {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: object; readonly required?: readonly string[] }>>
  }
}

const methods = ['get', 'post', 'patch', 'delete'] as const

describe.each(testDialects)('the OpenAPI document on %s', (dialect) => {
  const { service } = useWorld({
    dialect,
    tables: async (database) => {
      const quote = dialect === 'mysql' ? '`' : '"'
      const named = (name: string) => `${quote}${name}${quote}`
      for (const statement of [
        'create table goods (id integer primary key, name varchar(20) not null, price decimal(10, 2), stock bigint not null default 0)',
        `create table ${named('good-s')} (id integer primary key)`,
        `create table ${named('good_s')} (id integer primary key)`,
        `create table ${named('größen')} (id integer primary key)`,
        `create table ${named('{odd}/name')} (id integer primary key)`,
        'create table pairs (a integer not null, b integer not null, primary key (a, b))',
        'create view cheap as select id, name from goods',
      ])
        await database.query(statement)
    },
  })

  const read = async (path = '', options = {}) => {
    const answer = await service.get(`/server/specs/oas${path}`, options)
    expect(answer.status).toBe(200)
    return JSON.parse(answer.text) as Document
  }
  /** A user with nothing but these permissions, whose keys are returned. */
  const addUser = async (token: string, permissions: readonly object[]): Promise<readonly number[]> => {
    const policy = dataOf(await service.send('POST', '/policies', { name: token, permissions })) as {
      id: string
      permissions: number[]
    }
    const user = { email: `${token}@example.com`, token, policies: [{ policy: policy.id }] }
    dataOf(await service.send('POST', '/users', user))
    return policy.permissions
  }
  const operationIds = ({ paths }: Document) =>
    Object.values(paths).flatMap((item) => methods.flatMap((method) => item[method]?.operationId ?? []))

  describe.each(['3.1', '3.2'])('OpenAPI %s', (version) => {
    const faultsFor = async (token?: string | null) =>
      faultsIn(JSON.stringify(await read(`?openapi=${version}`, token === undefined ? {} : { token })))

    test('is valid by two validators, for administrators, a restricted role and the public', async () => {
      const token = `token-of-a-writer-${version}`
      await addUser(token, [
        { collection: 'goods', action: 'read', fields: ['name'] },
        { collection: 'goods', action: 'create', fields: ['name', 'price'] },
        { collection: 'pairs', action: 'delete', fields: null },
      ])
      expect(await faultsFor()).toEqual(noFaults)
      expect(await faultsFor(token)).toEqual(noFaults)
      expect(await faultsFor(null)).toEqual(noFaults)
    })

    test('is refused by both validators once it is broken', async () => {
      const document = await read(`?openapi=${version}`)
      const broken: Readonly<Record<string, object>> = {
        'a response without a content': {
          '/broken': { get: { responses: { 200: { description: 'Done.', content: [] } } } },
        },
        'an unknown member': { '/broken': { get: { responses: {}, respones: {} } } },
        'a parameter that is nowhere': {
          '/broken': { get: { parameters: [{ name: 'x', in: 'nowhere' }], responses: {} } },
        },
        'a method that OpenAPI does not know': { '/broken': { search: { responses: {} } } },
      }
      for (const [what, paths] of Object.entries(broken)) {
        const faults = await faultsIn(JSON.stringify({ ...document, paths: { ...document.paths, ...paths } }))
        for (const [validator, found] of Object.entries(faults))
          expect(found.length, `${validator}: ${what}`).toBeGreaterThan(0)
      }
    })
  })

  test('has operation ids that are unique, also for collections with the same letters', async () => {
    const ids = operationIds(await read())
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
    expect(ids).toEqual(
      expect.arrayContaining(['readItemsGoods', 'readItemsGoodS', 'readItemsGoodS2', 'readItemsGroen']),
    )
  })

  test('has a path for every table, in which nothing but the key is a variable', async () => {
    const paths = Object.keys((await read()).paths).filter((path) => path.startsWith('/items/'))
    expect(paths).toEqual(
      expect.arrayContaining(['/items/größen', '/items/%7Bodd%7D%2Fname', '/items/pairs/{id}', '/items/cheap']),
    )
    expect(paths).not.toContain('/items/cheap/{id}')
    for (const path of paths) expect(path.replace(/\/\{id\}$/u, '')).not.toMatch(/[{}]/u)
  })

  test('names what a create needs, and what numbers travel as', async () => {
    const { schemas } = (await read()).components
    expect(schemas['ItemsGoods']?.properties).toMatchObject({
      name: { type: 'string' },
      price: { type: ['string', 'null'] },
      stock: { type: 'string' },
    })
    expect(schemas['ItemsGoodsCreate']).toMatchObject({
      required: expect.arrayContaining(['name']) as string[],
      properties: { name: { type: 'string', maxLength: 20 } },
      additionalProperties: false,
    })
    expect(schemas['ItemsGoodsCreate']?.required).not.toContain('stock')
  })

  test('has the operations and fields of its caller alone, and changes with the permissions', async () => {
    const token = 'token-of-a-reader'
    const [permission] = await addUser(token, [{ collection: 'goods', action: 'read', fields: ['id', 'name'] }])
    const own = await read('', { token })
    expect(Object.keys(own.paths).filter((path) => path.startsWith('/items/'))).toEqual([
      '/items/goods',
      '/items/goods/{id}',
    ])
    expect(Object.keys(own.components.schemas['ItemsGoods']?.properties ?? {})).toEqual(['id', 'name'])
    expect(JSON.stringify(own)).not.toMatch(/price|pairs|cheap/u)
    dataOf(await service.send('PATCH', `/permissions/${permission}`, { fields: ['id'] }))
    expect(Object.keys((await read('', { token })).components.schemas['ItemsGoods']?.properties ?? {})).toEqual(['id'])
  })

  test('callers who may not read get no content, also where nothing was written', async () => {
    const token = 'token-of-a-blind-writer'
    await addUser(token, [{ collection: 'goods', action: 'update', fields: ['name'] }])
    const { paths } = (await read('', { token })) as unknown as {
      readonly paths: Readonly<Record<string, { readonly patch: { readonly responses: object } }>>
    }
    expect(Object.keys(paths['/items/goods']?.patch.responses ?? {})).toEqual(['204', 'default'])
    const changed = await service.send('PATCH', '/items/goods', { keys: [], data: { name: 'x' } }, { token })
    expect([changed.status, changed.text]).toEqual([204, ''])
  })

  test('has an ETag, and an unknown version is refused', async () => {
    const first = await service.get('/server/specs/oas')
    const tag = first.headers.get('etag') ?? ''
    expect((await service.get('/server/specs/oas', { headers: { 'if-none-match': tag } })).status).toBe(304)
    expect((await service.get('/server/specs/oas')).text).toBe(first.text)
    for (const query of ['openapi=4', 'version=3.1'])
      expect((await service.get(`/server/specs/oas?${query}`)).body).toMatchObject({
        errors: [{ extensions: { code: 'INVALID_QUERY' } }],
      })
  })
})

test('there is no document where it is switched off', async () => {
  const database = await createDatabase('sqlite')
  const service = await openService({ DATABASE_URL: database.url, OPENAPI_ENABLED: 'false' })
  try {
    expect((await service.get('/server/specs/oas')).status).toBe(404)
  } finally {
    await service.stop()
    await database.drop()
  }
})
