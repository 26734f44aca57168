import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { codeOf, type Answer } from '../lib/service.ts'
import { createUser, useWorld } from '../lib/world.ts'

const messageOf = ({ body, text }: Answer): string => {
  const [error] = (body as { errors?: readonly { message: string }[] } | undefined)?.errors ?? []
  return error?.message ?? text
}

describe.each(testDialects)('names that are not known on %s', (dialect) => {
  const { service } = useWorld({
    dialect,
    tables: [
      `create table articles (id int primary key, title varchar(20), secrets_note varchar(20), author int)`,
      `create table customers (id int primary key, name varchar(20))`,
      `create table payments (id int primary key, customer_id int, amount int)`,
      `create table ledgers (id int primary key, customer int, constraint lc foreign key (customer) references customers (id))`,
      `insert into articles values (1, 'x', 'y', 1)`,
    ],
  })

  type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>
  const admin: Ask = (method, path, body) => service.send(method, path, body)

  async function somebody(permissions: readonly object[]): Promise<Ask> {
    const token = await createUser(service, permissions)
    return (method, path, body) => service.send(method, path, body, { token })
  }

  test.each([
    ['a field', 'GET', '/items/articles?fields=titel', undefined, 'title'],
    ['a filter', 'GET', '/items/articles?filter[titel][_eq]=x', undefined, 'title'],
    ['a sort', 'GET', '/items/articles?sort=-titel', undefined, 'title'],
    ['an aggregate', 'GET', '/items/articles?aggregate[min]=titel', undefined, 'title'],
    ['a group', 'GET', '/items/articles?aggregate[count]=*&groupBy=titel', undefined, 'title'],
    ['deep', 'GET', '/items/ledgers?fields=*&deep[custoner][_limit]=1', undefined, 'customer'],
    ['a nested field', 'GET', '/items/ledgers?fields=customer.nane', undefined, 'name'],
    ['an inferred field', 'GET', '/items/customers?fields=ledger.id', undefined, 'ledgers'],
    ['a collection', 'GET', '/items/artickles', undefined, 'articles'],
    ['a collection in SEARCH', 'SEARCH', '/items/artickles', { keys: [1] }, 'articles'],
    ['a collection that is written', 'POST', '/items/artickles', {}, 'articles'],
    ['a collection of fields', 'GET', '/fields/artickles', undefined, 'articles'],
    ['a field of /fields', 'GET', '/fields/articles/titel', undefined, 'title'],
    ['a key of a payload', 'POST', '/items/articles', { id: 9, titel: 'x' }, 'title'],
    ['a name that something is sorted by', 'POST', '/utils/sort/artickles', { item: 1, to: 2 }, 'articles'],
  ])('%s is answered with the nearest, for an administrator', async (_, method, path, body, nearest) => {
    const answer = await admin(method, path, body)
    expect([400, 403]).toContain(answer.status)
    expect(messageOf(answer)).toContain(`id you mean "${nearest}"?`)
  })

  test('others are offered only what they may use', async () => {
    const ask = await somebody([
      { action: 'read', collection: 'articles', fields: ['id', 'author'] },
      { action: 'create', collection: 'articles', fields: ['id', 'author'] },
    ])
    for (const [path, hint] of [
      ['/items/articles?fields=autor', 'author'],
      ['/items/articles?sort=autor', 'author'],
      ['/items/articels', 'articles'],
    ] as const)
      expect(messageOf(await ask('GET', path))).toContain(`Did you mean "${hint}"?`)
    expect(messageOf(await ask('POST', '/items/articles', { autor: 1 }))).toContain('Did you mean "author"?')
    for (const path of ['/items/articles?fields=titel', '/items/articles?filter[secret_note][_eq]=1', '/items/payment'])
      expect(messageOf(await ask('GET', path))).not.toContain('id you mean')
    expect(messageOf(await ask('POST', '/items/articles', { titel: 1 }))).not.toContain('id you mean')
  })

  test('a hidden name and a missing one are answered with the same words', async () => {
    const ask = await somebody([
      { action: 'read', collection: 'articles', fields: ['id'] },
      { action: 'create', collection: 'articles', fields: ['id'] },
      { action: 'read', collection: 'customers', fields: ['*'] },
      { action: 'create', collection: 'customers', fields: ['*'] },
    ])
    const words = async (
      method: string,
      path: (name: string) => string,
      name: string,
      body?: (name: string) => unknown,
    ) => {
      const answer = await ask(method, path(name), body?.(name))
      return [answer.status, answer.text.replaceAll(name, 'NAME')]
    }
    const alike = async (
      hidden: string,
      missing: string,
      path: (name: string) => string,
      method = 'GET',
      body?: (name: string) => unknown,
    ) => expect(await words(method, path, hidden, body)).toEqual(await words(method, path, missing, body))
    for (const path of [
      (name: string) => `/items/articles?fields=${name}`,
      (name: string) => `/items/articles?filter[${name}][_eq]=x`,
      (name: string) => `/items/articles?sort=${name}`,
      (name: string) => `/items/articles?aggregate[min]=${name}`,
      (name: string) => `/fields/articles/${name}`,
    ])
      await alike('title', 'tetle', path)
    await alike(
      'title',
      'tetle',
      () => '/items/articles',
      'POST',
      (name) => ({ [name]: 'x' }),
    )
    for (const path of [(name: string) => `/items/${name}`, (name: string) => `/fields/${name}`])
      await alike('payments', 'poyments', path)
    await alike(
      'payments',
      'poyments',
      (name) => `/items/${name}`,
      'POST',
      () => ({}),
    )
    // The name of an inferred field equals the name of a table that the caller may not read.
    for (const path of [
      (name: string) => `/items/customers?fields=${name}`,
      (name: string) => `/items/customers?fields=${name}.id`,
      (name: string) => `/items/customers?filter[${name}][id][_eq]=1`,
      (name: string) => `/items/customers?sort=${name}.id`,
    ])
      await alike('ledgers', 'lodgers', path)
    await alike(
      'ledgers',
      'lodgers',
      () => '/items/customers',
      'POST',
      (name) => ({ id: 9, [name]: [] }),
    )
    expect(messageOf(await ask('GET', '/items/customers?fields=ledgerz'))).not.toContain('ledgers')
    expect(messageOf(await ask('POST', '/items/customers', { id: 9, ledgerz: [] }))).not.toContain('ledgers')
  })

  test.each([
    '/items/payments?fields=customer_id.first_name',
    '/items/payments?sort=customer_id.first_name',
    '/items/payments?filter[customer_id][first_name][_eq]=x',
  ])('a field without a relation is told to be none: %s', async (path) => {
    const answer = await admin('GET', path)
    expect(codeOf(answer)).toBe('FORBIDDEN')
    expect(messageOf(answer)).toContain('Field "customer_id" in collection "payments" is no relation')
    expect(messageOf(answer)).not.toContain('collection "customer_id"')
  })

  test('others are not told whether there is no relation or none for them', async () => {
    const ask = await somebody([
      { action: 'read', collection: 'payments', fields: ['*'] },
      { action: 'read', collection: 'ledgers', fields: ['*'] },
    ])
    const words = async (path: string) => messageOf(await ask('GET', path)).replaceAll(/customer_id|customer/gu, 'X')
    for (const tail of ['?fields=C.name', '?sort=C.name', '?filter[C][name][_eq]=x', '?filter[C][eq]=1'])
      expect(await words(`/items/payments${tail.replace('C', 'customer_id')}`)).toBe(
        await words(`/items/ledgers${tail.replace('C', 'customer')}`),
      )
  })

  test('an operator without its underscore is recognised', async () => {
    const answer = await admin('GET', '/items/articles?filter[title][eq]=x')
    expect(codeOf(answer)).toBe('INVALID_QUERY')
    expect(messageOf(answer)).toMatch(/Operators begin with "_": did you mean "_eq"\?/u)
  })
})
