// Types from a database, from a snapshot and from a running service.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { callCommand, runCommand } from '../lib/command.ts'
import { createDatabase, testDialects, type TestDatabase, type TestDialect } from '../lib/databases.ts'
import { dataOf, openService, TOKEN, type Service } from '../lib/service.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')
const compile = (file: string) =>
  promisify(execFile)(process.execPath, [compiler, '--noEmit', '--strict', '--ignoreConfig', file])

const status: Readonly<Record<TestDialect, string>> = {
  postgres: 'order_status',
  mysql: `enum('open', 'paid')`,
  sqlite: 'varchar(10)',
}

const tables = (dialect: TestDialect): readonly string[] => [
  ...(dialect === 'postgres' ? [`create type order_status as enum ('open', 'paid')`] : []),
  'create table customers (id integer primary key, name varchar(20) not null, born date)',
  `create table orders (id integer primary key, customer integer not null, status ${status[dialect]} not null, total decimal(10, 2), foreign key (customer) references customers (id))`,
  'create table order_lines (order_id integer not null, line integer not null, amount integer not null, primary key (order_id, line), foreign key (order_id) references orders (id))',
  'create table tags (id integer primary key, word varchar(20))',
  'create table order_tags (order_id integer not null, tag integer not null, primary key (order_id, tag), foreign key (order_id) references orders (id), foreign key (tag) references tags (id))',
  'create table blocks (id integer primary key, collection varchar(40), item varchar(40))',
  'create table site (id integer primary key, motto varchar(20))',
  'create view paid_orders as select id, total from orders',
]

describe.each(testDialects)('tain types generate on %s', (dialect) => {
  let database: TestDatabase
  let folder: string
  let service: Service

  const tain = (...words: readonly string[]) =>
    callCommand(['types', 'generate', ...words], { environment: { DATABASE_URL: database.url } })

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'types-'))
    database = await createDatabase(dialect)
    for (const statement of tables(dialect)) await database.query(statement)
  })

  afterAll(async () => {
    await service?.stop()
    await database?.drop()
    await rm(folder, { recursive: true })
  })

  test('needs no tables of the service, writes none, and knows what an administrator will do', async () => {
    const before = await tain()
    expect(before).toMatchObject({ code: 0, error: '' })
    expect(before.out).toContain(`may: 'read' | 'create' | 'update' | 'delete'`)
    expect(before.out).toContain('  service_users: {')
    expect(await tain('--as', 'Editor')).toMatchObject({ code: 2, error: expect.stringContaining('"tain init"') })
    const again = await tain()
    expect(again.out).toBe(before.out)
    service = await openService({ DATABASE_URL: database.url })
    expect((await tain()).out).toBe(before.out)
  })

  test('has relations of every kind, and compiles', async () => {
    dataOf(await service.send('PATCH', '/collections/site', { meta: { singleton: true, note: 'About us.' } }))
    dataOf(await service.send('PATCH', '/fields/orders/total', { meta: { note: 'With taxes.' } }))
    dataOf(
      await service.send('POST', '/relations', {
        collection: 'blocks',
        field: 'item',
        related_collection: null,
        schema: null,
        meta: { one_collection_field: 'collection', one_allowed_collections: ['orders', 'tags'] },
      }),
    )
    const file = join(folder, 'schema.ts')
    expect(await tain('--out', file)).toMatchObject({ code: 0, out: '' })
    const text = await readFile(file, 'utf8')
    for (const line of [
      '  customer: number | Customers',
      dialect === 'sqlite' ? '  status: string' : `  status: 'open' | 'paid'`,
      '  /** With taxes. */\n  total: Decimal | null',
      `  order_lines: string[] | OrderLines[]`,
      '  tags: number[] | Tags[]',
      '  item: string | Orders | Tags | null',
      `    relations: { item: { any: 'orders' | 'tags'; collection: 'collection' } }`,
      '  /** About us. */\n  site: {',
      `    singleton: true`,
      `    inferred: 'order_lines' | 'order_tags' | 'tags'`,
    ])
      expect(text).toContain(line)
    await compile(file)
  })

  test('is the same from a snapshot, from the database and from the service', async () => {
    const snapshot = join(folder, 'snapshot.yaml')
    const settings = { environment: { DATABASE_URL: database.url } }
    const sections = 'roles,policies,permissions'
    expect(await callCommand(['schema', 'snapshot', snapshot, '--include', sections], settings)).toMatchObject({
      code: 0,
    })
    const { out } = await tain()
    const offline = await runCommand(['types', 'generate', '--from', snapshot], { folder })
    expect(offline).toMatchObject({ code: 0, error: '' })
    expect(offline.out).toBe(out)
    const online = await runCommand(['types', 'generate', '--from', service.url], {
      folder,
      environment: { TAIN_TOKEN: TOKEN },
    })
    expect(online).toMatchObject({ code: 0, error: '' })
    const body = (text: string) => text.split('\n').slice(1).join('\n')
    expect(body(online.out)).toBe(body(out))
    expect((await runCommand(['types', 'generate', '--from', service.url], { folder })).out).toContain('for the public')
  })

  test('of a role, a user or the public has nothing else', async () => {
    const permissions = [
      { collection: 'orders', action: 'read', fields: ['id', 'status'] },
      { collection: 'tags', action: 'create', fields: ['word'] },
    ]
    const role = dataOf(
      await service.send('POST', '/roles', { name: 'Clerk', policies: [{ policy: { name: 'clerk', permissions } }] }),
    ) as { id: string }
    dataOf(await service.send('POST', '/users', { email: 'bob@example.com', role: role.id }))
    const snapshot = join(folder, 'permissions.json')
    const settings = { environment: { DATABASE_URL: database.url } }
    await callCommand(['schema', 'snapshot', snapshot, '--include', 'roles,policies,permissions'], settings)
    const asRole = await tain('--as', 'Clerk')
    expect(asRole).toMatchObject({ code: 0, error: '' })
    const own = asRole.out.slice(0, asRole.out.indexOf('export type Decimal'))
    expect(own).toContain('export interface Orders {\n  id: number\n')
    expect(own).toContain(`may: 'read'\n`)
    expect(own).toContain(`may: 'create'\n`)
    expect(own).toContain('create: TagsCreate')
    expect(own).not.toMatch(/total|customer|OrdersCreate|TagsFilter|site|service_users/iu)
    expect((await tain('--as', 'Clerk', '--from', snapshot)).out).toBe(asRole.out)
    const asUser = await tain('--as', 'bob@example.com')
    expect(asUser.out.replace('bob@example.com', 'the role "Clerk"')).toBe(asRole.out)
    expect((await tain('--as', 'public')).out).toContain('export interface Schema {\n}')
  })

  test.each([
    [['--as', 'Nobody'], 'There is no role "Nobody". "tain roles list"'],
    [['--as', 'nobody@example.com'], '"tain users list"'],
    [['--check'], 'name it with "--out"'],
    [['--from', 'ftp://x'], 'is none of the sources'],
    [['--from', 'http://127.0.0.1:1'], 'does not answer'],
    [['--from', 'http://127.0.0.1:1', '--as', 'public'], 'TAIN_TOKEN'],
    [['--from', 'nothing.yaml'], 'cannot be read'],
  ])('%j is refused', async (words, said) => {
    expect(await tain(...words)).toMatchObject({ code: 2, out: '', error: expect.stringContaining(said) })
  })

  test('a snapshot without permissions says so', async () => {
    const snapshot = join(folder, 'bare.json')
    await callCommand(['schema', 'snapshot', snapshot], { environment: { DATABASE_URL: database.url } })
    expect(await tain('--from', snapshot, '--as', 'Clerk')).toMatchObject({
      code: 2,
      error: expect.stringContaining('--include roles,policies,permissions'),
    })
    await writeFile(snapshot, '{"version": 1}')
    expect(await tain('--from', snapshot)).toMatchObject({ code: 2, error: expect.stringContaining('no snapshot') })
  })

  test('--check tells what a changed column changes', async () => {
    const file = join(folder, 'schema.ts')
    expect(await tain('--out', file)).toMatchObject({ code: 0 })
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll('\n', '\r\n'))
    expect(await tain('--out', file, '--check')).toMatchObject({ code: 0, error: `${file} is up to date.\n` })
    await database.query('alter table tags rename column word to label')
    const checked = await tain('--out', file, '--check')
    expect(checked).toMatchObject({ code: 1, out: '' })
    expect(checked.error).toContain('  Tags\n    - word: string | null\n    + label: string | null\n')
    expect(await tain('--out', join(folder, 'absent.ts'), '--check')).toMatchObject({
      code: 1,
      error: expect.stringContaining('There is no such file.'),
    })
  })
})
