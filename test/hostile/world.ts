import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, type TestDatabase, type TestDialect } from '../lib/databases.ts'
import { dataOf, startService, TOKEN, type ServiceProcess } from '../lib/service.ts'

/** A long event loop turn: when it ended, how long it took, and how much of it the service itself was busy. */
export interface Block {
  readonly at: number
  readonly wall: number
  readonly busy: number
}

export interface HostileWorld {
  readonly database: TestDatabase
  readonly service: ServiceProcess
  /** Tokens by caller; null sends no token. */
  readonly tokens: Readonly<Record<'administrator' | 'limited' | 'public', string | null>>
  readonly blocks: () => Promise<readonly Block[]>
  readonly end: () => Promise<void>
}

const types: Readonly<Record<TestDialect, Readonly<Record<'json' | 'moment' | 'flag', string>>>> = {
  postgres: { json: 'jsonb', moment: 'timestamptz', flag: 'boolean' },
  mysql: { json: 'json', moment: 'datetime(6)', flag: 'boolean' },
  sqlite: { json: 'json', moment: 'timestamp', flag: 'boolean' },
}

function script(dialect: TestDialect): string[] {
  const { json, moment, flag } = types[dialect]
  return [
    'create table authors (id integer primary key, name varchar(100), mentor integer, foreign key (mentor) references authors (id))',
    `create table articles (id integer primary key, title varchar(200), author integer, editor integer, rank integer,
      price decimal(12, 2), details ${json}, made ${moment}, open ${flag}, code varchar(36) unique,
      foreign key (author) references authors (id), foreign key (editor) references authors (id))`.replace(
      ' rank ',
      dialect === 'mysql' ? ' `rank` ' : ' rank ',
    ),
    'create table comments (id integer primary key, text varchar(500), article integer, foreign key (article) references articles (id))',
    "insert into authors values (1, 'Ada', null), (2, 'Bob', 1)",
    ...Array.from({ length: 20 }, (_, index) => index + 1).map(
      (id) =>
        `insert into articles (id, title, author, editor, price) values (${id}, 'title ${id}', ${(id % 2) + 1}, 1, ${id}.50)`,
    ),
    ...Array.from({ length: 40 }, (_, index) => index + 1).map(
      (id) => `insert into comments values (${id}, 'comment ${id}', ${(id % 20) + 1})`,
    ),
  ]
}

const MONITOR = new URL('monitor.mjs', import.meta.url).href

export async function createHostileWorld(dialect: TestDialect): Promise<HostileWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'tain-hostile-'))
  const file = join(folder, 'blocks')
  await writeFile(file, '')
  const database = await createDatabase(dialect)
  for (const statement of script(dialect)) await database.query(statement)
  const service = await startService({
    DATABASE_URL: database.url,
    NODE_OPTIONS: `--import=${MONITOR}`,
    HOSTILE_MONITOR: file,
    LOGIN_STALL_TIME: '0',
    REGISTER_STALL_TIME: '0',
    LOG_LEVEL: 'error',
    DB_STATEMENT_TIMEOUT: '5000',
    MAX_BATCH_MUTATION: '500',
  })
  const change = async (method: string, path: string, body: object) => dataOf(await service.send(method, path, body))
  for (const [collection, field, related, alias] of [
    ['articles', 'author', 'authors', 'articles'],
    ['comments', 'article', 'articles', 'comments'],
  ] as const) {
    await change('POST', `/fields/${related}`, {
      field: alias,
      type: 'alias',
      schema: null,
      meta: { special: ['o2m'] },
    })
    const link = { collection, field, related_collection: related, meta: { one_field: alias } }
    await change('PATCH', `/relations/${collection}/${field}`, link)
  }
  await change('PATCH', '/settings', { public_registration: true, public_registration_verify_email: false })
  const limited = randomUUID()
  const permissions = [
    {
      collection: 'articles',
      action: 'read',
      fields: ['id', 'title', 'author', 'comments', 'details'],
      permissions: { id: { _lt: 15 } },
    },
    {
      collection: 'articles',
      action: 'read',
      fields: ['rank', 'price'],
      permissions: { author: { name: { _eq: 'Ada' } } },
    },
    { collection: 'authors', action: 'read', fields: ['*'], permissions: {} },
    { collection: 'comments', action: 'read', fields: ['*'], permissions: { article: { id: { _lt: 10 } } } },
    { collection: 'comments', action: 'create', fields: ['*'], validation: { text: { _regex: '^(\\w+\\s?)+$' } } },
    { collection: 'articles', action: 'update', fields: ['title', 'details'], permissions: { id: { _gt: 5 } } },
  ]
  const { id: policy } = (await change('POST', '/policies', { name: 'limited', permissions })) as { id: string }
  await change('POST', '/users', { email: 'limited@example.com', token: limited, policies: [{ policy }] })
  return {
    database,
    service,
    tokens: { administrator: TOKEN, limited, public: null },
    async blocks() {
      const text = await readFile(file, 'utf8')
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Block]))
    },
    async end() {
      await service.stop()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
