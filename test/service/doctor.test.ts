// `tain doctor`: each planted misconfiguration is found, alone, and its fix fixes it.
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runDoctor, type DoctorOptions } from '../../packages/server/src/app/doctor.ts'
import { closeConnections } from '../../packages/server/src/app/close.ts'
import { checks } from '../../packages/server/src/doctor/checks.ts'
import { migrate } from '../../packages/server/src/schema/migrate.ts'
import { connectDatabase } from '../../packages/server/src/sql/dialects/index.ts'
import { diagnosis as mysqlDiagnosis } from '../../packages/server/src/sql/dialects/mysql/diagnosis.ts'
import { diagnosis } from '../../packages/server/src/sql/dialects/postgres/diagnosis.ts'
import { adviceOn, networkFileSystems } from '../../packages/server/src/sql/dialects/sqlite/diagnosis.ts'
import { startCluster, type Cluster } from '../lib/postgres-cluster.ts'
import { connect, connectMysql, testDialects, withDatabase, type TestConnection } from '../lib/databases.ts'
import { startPgbouncer } from '../lib/pgbouncer.ts'
import { freePort } from '../lib/free-port.ts'
import { SECRET } from '../lib/service.ts'
import { runCommand } from '../lib/command.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

type Environment = Readonly<Record<string, string>>

/** Only the checks that found something, with their status, and the first finding. */
async function diagnose(environment: Environment, options: DoctorOptions = {}) {
  const results = await runDoctor({ SECRET, ...environment }, options)
  const found = results.filter(({ status }) => status !== 'ok' && status !== 'skipped')
  const [first] = found.flatMap(({ findings }) => findings)
  return {
    names: found.map(({ name, status }) => `${name}: ${status}`),
    text: first?.text ?? '',
    fix: first?.fix ?? '',
  }
}

describe.each(testDialects)('on a healthy database of %s', (dialect) => {
  test('nothing is found, and nothing is written', () =>
    withDatabase(async (database) => {
      const inline = dialect === 'mysql' ? '' : ' references authors (id)'
      const key = dialect === 'mysql' ? ', foreign key (author) references authors (id)' : ''
      await database.query('create table authors (id integer primary key, name varchar(40))')
      await database.query(`create table notes (id integer primary key, author integer${inline}${key})`)
      await database.query('create index notes_author on notes (author)')
      // The server is shared with other tests, so the pool is small.
      expect(await diagnose({ DATABASE_URL: database.url, DB_POOL_MAX: '1' })).toEqual({ names: [], text: '', fix: '' })
      const tables = {
        postgres: `select count(*) from pg_tables where schemaname = 'tain'`,
        mysql: `select count(*) from information_schema.tables where table_schema = database() and table_name like 'service%'`,
        sqlite: `select count(*) from sqlite_schema where name like 'service%'`,
      }
      expect(await database.query(tables[dialect])).toEqual([['0']])
    }, dialect))
})

describe('settings', () => {
  // There is no such file: checks of the database are skipped, and the connection is not the subject.
  const only = async (environment: Environment, options?: DoctorOptions) => {
    const { names, text, fix } = await diagnose(
      { DATABASE_URL: 'sqlite:/there/is/no/such.db', ...environment },
      options,
    )
    return { names: names.filter((name) => !name.startsWith('connection')), text, fix }
  }

  test.each<[string, Environment, string, RegExp]>([
    ['a short SECRET', { SECRET: 'short' }, 'secret: problem', /openssl rand -base64 48/u],
    ['no SECRET', { SECRET: '' }, 'secret: warning', /openssl rand/u],
    ['no SECRET in production', { SECRET: '', NODE_ENV: 'production' }, 'secret: problem', /openssl rand/u],
    [
      'credentials for every origin',
      { CORS_ENABLED: 'true', CORS_ORIGIN: '*', CORS_CREDENTIALS: 'true' },
      'settings: problem',
      /CORS_ORIGIN=https:/u,
    ],
    ['mails without PUBLIC_URL', { EMAIL_TRANSPORT: 'smtp' }, 'settings: problem', /PUBLIC_URL=https:/u],
    [
      'cookies without TLS on https',
      { PUBLIC_URL: 'https://api.example.com', SESSION_COOKIE_SECURE: 'false' },
      'settings: problem',
      /SESSION_COOKIE_SECURE=true/u,
    ],
    [
      'a storage that cannot be written',
      { STORAGE_LOCATIONS: 'local,pictures', STORAGE_PICTURES_DRIVER: 'local', STORAGE_PICTURES_ROOT: '/proc/tain/x' },
      'storages: problem',
      /to \/proc\/tain\/x, or set STORAGE_PICTURES_ROOT/u,
    ],
    [
      'a variable that is nearly a setting',
      { PUBLIC_ULR: 'https://a.example.com' },
      'settings: warning',
      /to PUBLIC_URL/u,
    ],
    ['every proxy trusted', { IP_TRUST_PROXY: 'true' }, 'settings: warning', /number of your proxies/u],
    ['a value that cannot be read', { PORT: 'eighty' }, 'settings: problem', /tain start --help/u],
  ])('%s', async (_, environment, name, fix) => {
    const found = await only(environment)
    expect(found.names).toEqual([name])
    expect(found.fix).toMatch(fix)
  })

  test('an old Node.js', async () => {
    const found = await only({}, { nodeVersion: '22.1.0' })
    expect(found).toMatchObject({ names: ['node: problem'], fix: 'nvm install 24' })
  })

  test('no DATABASE_URL', async () => {
    const found = await diagnose({})
    expect(found.names).toEqual(['connection: problem'])
    expect(found.fix).toMatch(/^Set DATABASE_URL/u)
  })

  test('the guide lists every check', async () => {
    const guide = await readFile(new URL('../../docs/guides/doctor.md', import.meta.url), 'utf8')
    const rows = [...guide.matchAll(/^\| `([a-z][a-z-]*)` +\| (.+?) +\|/gmu)].map(([, name, what]) => [name, what])
    expect(rows).toEqual(Object.entries(checks).map(([name, { what }]) => [name, what]))
  })
})

describe.runIf(testDialects.includes('postgres'))('on PostgreSQL', () => {
  let cluster: Cluster
  let server: TestConnection
  let count = 0

  beforeAll(async () => {
    cluster = await startCluster({ max_connections: '40', autovacuum: 'off' })
    server = await connect(cluster.url)
    await server.query(`create role locked login password 'right-canary'`)
    const [row] = await server.query('show hba_file')
    const file = row?.[0] ?? ''
    await writeFile(file, `host all locked 127.0.0.1/32 scram-sha-256\n${await readFile(file, 'utf8')}`)
    await server.query('select pg_reload_conf()')
  })
  afterAll(async () => {
    await server.close()
    await cluster.destroy()
  })

  const at = (name: string, user = 'postgres') => `postgres://${user}@127.0.0.1:${cluster.port}/${name}`

  /** A database of its own, with a session of the superuser in it. */
  async function planted(work: (url: string, name: string, session: TestConnection) => Promise<void>): Promise<void> {
    count += 1
    const name = `planted_${count}`
    await server.query(`create database ${name}`)
    const session = await connect(at(name))
    try {
      await work(at(name), name, session)
    } finally {
      await session.close()
    }
  }

  test('a server that does not answer', async () => {
    const port = await freePort()
    const found = await diagnose({ DATABASE_URL: `postgres://me:pass-canary@127.0.0.1:${port}/shop` })
    expect(found.names).toEqual(['connection: problem'])
    expect(found.fix).toContain(`nc -vz 127.0.0.1 ${port}`)
    expect(JSON.stringify(found)).not.toContain('canary')
  })

  test('a wrong password', async () => {
    const found = await diagnose({ DATABASE_URL: at('postgres', 'locked:wrong-canary') })
    expect(found.names).toEqual(['connection: problem'])
    expect(found.fix).toContain('password in DATABASE_URL')
    expect(JSON.stringify(found)).not.toContain('canary')
    expect((await diagnose({ DATABASE_URL: at('postgres', 'locked:right-canary') })).names).not.toContain(
      'connection: problem',
    )
  })

  test('a missing database', async () => {
    const found = await diagnose({ DATABASE_URL: at('not_there') })
    expect(found).toMatchObject({ names: ['connection: problem'], fix: 'create database "not_there";' })
    await server.query(found.fix)
    expect((await diagnose({ DATABASE_URL: at('not_there') })).names).toEqual([])
  })

  test('a server version that is too old', () => {
    expect(diagnosis.unsupported('12.19')).toBe('PostgreSQL 13')
    expect(['13.0', '15.8 (Debian 15.8-1)', '18beta1'].map(diagnosis.unsupported)).toEqual([null, null, null])
  })

  test('a role that may not create the schema of the service', () =>
    planted(async (_, name, session) => {
      await session.query('create role maker login')
      const found = await diagnose({ DATABASE_URL: at(name, 'maker') })
      expect(found).toMatchObject({
        names: ['service-schema: problem'],
        fix: `grant create on database ${name} to maker;`,
      })
      await session.query(found.fix)
      expect((await diagnose({ DATABASE_URL: at(name, 'maker') })).names).toEqual([])
      await session.query('create schema tain')
      const closed = await diagnose({ DATABASE_URL: at(name, 'maker') })
      expect(closed.names).toEqual(['service-schema: problem'])
      await session.query(closed.fix)
      expect((await diagnose({ DATABASE_URL: at(name, 'maker') })).names).toEqual([])
    }))

  test('a table that the role may not read', () =>
    planted(async (_, name, session) => {
      await session.query(`create role reader login; grant create on database ${name} to reader;
        create table "Odd table" (id integer primary key)`)
      const found = await diagnose({ DATABASE_URL: at(name, 'reader') })
      expect(found).toMatchObject({
        names: ['table-privileges: warning'],
        fix: 'grant select on public."Odd table" to reader;',
      })
      await session.query(found.fix)
      expect((await diagnose({ DATABASE_URL: at(name, 'reader') })).names).toEqual([])
    }))

  test('row level security, and a schema that the role may not use', () =>
    planted(async (url, name, session) => {
      await session.query(`create role tenant login; grant create on database ${name} to tenant;
        create table patients (id integer primary key); alter table patients enable row level security;
        grant select on patients to tenant;
        create schema billing; create table billing.invoices (id integer primary key);
        grant select on billing.invoices to tenant`)
      expect((await diagnose({ DATABASE_URL: url })).text).toContain('its policies hide nothing: patients.')
      const found = await diagnose({ DATABASE_URL: at(name, 'tenant') })
      expect(found.names).toEqual(['row-security: warning'])
      expect(found.text).toContain('may not use the schema billing: 1 tables and views are not served')
      await session.query(found.fix)
      const { names, text } = await diagnose({ DATABASE_URL: at(name, 'tenant') })
      expect(names).toEqual(['row-security: warning'])
      expect(text).toContain('rows are missing without an error: patients.')
    }))

  test('a role that may not use the tables of the service', () =>
    planted(async (url, name, session) => {
      const database = await connectDatabase({
        url,
        poolMax: 1,
        acquireTimeout: 10_000,
        statementTimeout: 60_000,
        lockTimeout: 10_000,
        connectTimeout: 10_000,
        preparedStatements: 0,
        applicationName: 'test',
      })
      await migrate(database, 'tain').finally(() => closeConnections(database))
      expect((await diagnose({ DATABASE_URL: url })).names).toEqual([])
      await session.query('create role guest login')
      const found = await diagnose({ DATABASE_URL: at(name, 'guest') })
      expect(found.names).toEqual(['service-tables: problem'])
      await session.query(found.fix)
      expect((await diagnose({ DATABASE_URL: at(name, 'guest') })).names).toEqual([])
      await session.query(`insert into tain.service_migrations (name) values ('0999-later')`)
      const newer = await diagnose({ DATABASE_URL: url })
      expect(newer.names).toEqual(['service-tables: problem'])
      expect(newer.text).toContain('A newer version has used this database')
      await session.query('truncate tain.service_migrations')
      const older = (await runDoctor({ SECRET, DATABASE_URL: url })).find(({ name }) => name === 'service-tables')
      expect([older?.status, older?.findings.map(({ level }) => level)]).toEqual(['ok', ['note']])
      expect(older?.findings[0]?.text).toContain('The next start brings them up to date: 0001-tables.')
      await session.query('drop table tain.service_migrations')
      const early = await diagnose({ DATABASE_URL: url })
      expect([early.names, early.fix]).toEqual([['service-tables: problem'], 'tain eject'])
      expect(early.text).toContain('are those of a build before 0.1.0')
    }))

  test('a pool that the server cannot serve, also times the replicas', async () => {
    const url = at('postgres')
    const found = await diagnose({ DATABASE_URL: url, DB_POOL_MAX: '100' })
    expect(found.names).toEqual(['connections: problem'])
    const fitting = /^Set DB_POOL_MAX=(\d+)$/u.exec(found.fix)?.[1] ?? ''
    expect(Number(fitting)).toBeGreaterThan(20)
    expect((await diagnose({ DATABASE_URL: url, DB_POOL_MAX: '10' })).names).toEqual([])
    const several = await diagnose({ DATABASE_URL: url, DB_POOL_MAX: '10' }, { replicas: 3 })
    expect(several.names).toEqual(['connections: problem'])
    expect(several.text).toMatch(/Replicas that fit: [12]\./u)
    expect((await diagnose({ DATABASE_URL: url, DB_POOL_MAX: '10', WORKERS: '10' })).names).toEqual([
      'connections: problem',
    ])
  })

  test('PgBouncer in transaction mode with prepared statements; not in session mode', () =>
    planted(async (_, name) => {
      const transactions = await startPgbouncer(cluster.port, name, 'transaction')
      try {
        const found = await diagnose({ DATABASE_URL: transactions.url })
        expect(found).toMatchObject({ names: ['pooler: problem'], fix: 'Set DB_PREPARED_STATEMENTS=0' })
        const fixed = await diagnose({ DATABASE_URL: transactions.url, DB_PREPARED_STATEMENTS: '0' })
        expect(fixed.names).toEqual([])
      } finally {
        await transactions.stop()
      }
      const sessions = await startPgbouncer(cluster.port, name, 'session')
      try {
        expect((await diagnose({ DATABASE_URL: sessions.url })).names).toEqual([])
      } finally {
        await sessions.stop()
      }
    }))

  test('a clock that is off by more than five seconds', async () => {
    const shifted = (by: number) => diagnose({ DATABASE_URL: at('postgres') }, { now: () => Date.now() + by })
    expect(await shifted(60_000)).toMatchObject({ names: ['clock: problem'], fix: expect.stringContaining('set-ntp') })
    expect((await shifted(-60_000)).names).toEqual(['clock: problem'])
    expect((await shifted(2000)).names).toEqual([])
  })

  test('a table without a primary key', () =>
    planted(async (url, _, session) => {
      await session.query('create table loose (a integer)')
      const found = await diagnose({ DATABASE_URL: url })
      expect(found.names).toEqual(['keys: warning'])
      expect(found.text).toContain('public.loose')
      await session.query(found.fix)
      expect((await diagnose({ DATABASE_URL: url })).names).toEqual([])
    }))

  test('a view that fails', () =>
    planted(async (url, _, session) => {
      await session.query(`create table parts (id integer primary key); insert into parts values (0);
        create view shares as select 1 / id as share from parts`)
      const found = await diagnose({ DATABASE_URL: url })
      expect(found.names).toEqual(['views: warning'])
      expect(found.text).toContain('division by zero')
      await session.query(found.fix.slice(found.fix.indexOf('drop view')))
      expect((await diagnose({ DATABASE_URL: url })).names).toEqual([])
    }))

  test('a view that writes is not read', () =>
    planted(async (url, _, session) => {
      await session.query(`create sequence counting; create view next as select nextval('counting') as n`)
      expect((await diagnose({ DATABASE_URL: url })).names).toEqual([])
      expect(await session.query('select is_called from counting')).toEqual([['f']])
    }))

  test('a foreign key without an index', () =>
    planted(async (url, _, session) => {
      await session.query(`create table authors (id integer primary key);
        create table notes (id integer primary key, author integer references authors)`)
      const found = await diagnose({ DATABASE_URL: url })
      expect(found).toMatchObject({
        names: ['indexes: warning'],
        fix: 'create index concurrently on "public"."notes" ("author");',
      })
      await session.query(found.fix)
      expect((await diagnose({ DATABASE_URL: url })).names).toEqual([])
    }))

  test('a large table without statistics', () =>
    planted(async (url, _, session) => {
      await session.query(`create table big (id integer primary key, filler text);
        insert into big select n, repeat('x', 200) from generate_series(1, 10000) n`)
      const found = await diagnose({ DATABASE_URL: url })
      expect(found).toMatchObject({ names: ['statistics: warning'], fix: 'analyze "public"."big";' })
      await session.query(found.fix)
      expect((await diagnose({ DATABASE_URL: url })).names).toEqual([])
    }))

  test('the command lists findings with their fix, and its exit code tells problems from warnings', () =>
    planted(async (url, _, session) => {
      await session.query('create table loose (a integer)')
      const warned = await runCommand(['doctor'], { environment: { DATABASE_URL: url, SECRET } })
      expect(warned).toMatchObject({ code: 0, out: '' })
      expect(warned.error).toMatch(/^! keys: .*\n +public\.loose .*\n +Fix: alter table "public"\."loose"/mu)
      expect(warned.error).toMatch(/^✓ connection: /mu)
      const broken = await runCommand(['doctor', '--json'], {
        environment: {
          DATABASE_URL: url.replace('postgres@', 'nobody:pass-canary@'),
          SECRET: 'secret-canary',
        },
      })
      expect(broken.code).toBe(1)
      const { checks: results } = JSON.parse(broken.out) as { checks: { name: string; status: string }[] }
      const problems = results.filter(({ status }) => status === 'problem').map(({ name }) => name)
      expect(problems).toEqual(['secret', 'connection'])
      expect(broken.out + broken.error).not.toContain('canary')
    }))
})

describe.runIf(testDialects.includes('mysql'))('on MariaDB', () => {
  test('a database whose character set is not utf8mb4, and a packet that is too small', () =>
    withDatabase(async ({ url, name, query }) => {
      const environment = { DATABASE_URL: url, DB_POOL_MAX: '1' }
      await query(`alter database ${name} character set latin1`)
      const found = await diagnose(environment)
      expect(found.names).toEqual(['server: warning'])
      expect(found.fix).toBe(`alter database \`${name}\` character set utf8mb4;`)
      await query(found.fix.replace(/;$/u, ''))
      expect((await diagnose(environment)).names).toEqual([])
      await query('create table old (id integer primary key, name varchar(20)) character set latin1')
      const table = await diagnose(environment)
      expect(table.names).toEqual(['server: warning'])
      await query(table.fix.replace(/;$/u, ''))
      expect((await diagnose(environment)).names).toEqual([])
      const large = await diagnose({ ...environment, MAX_PAYLOAD_SIZE: '1gb' })
      expect(large.names).toEqual(['server: problem'])
      expect(large.fix).toBe('set global max_allowed_packet = 2147483648;')
    }, 'mysql'))

  test('services are counted by their addresses, not by their sessions', () =>
    withDatabase(async ({ url, name, query }) => {
      const user = `tain_${randomBytes(6).toString('hex')}`
      await query(`create user ${user}@'%' identified by 'secret'`)
      await query(`grant all on ${name}.* to ${user}@'%'`)
      const address = new URL(url)
      Object.assign(address, { username: user, password: 'secret' })
      const open = (database = name) => connectMysql(address.href.replace(`/${name}`, `/${database}`))
      const sessions: TestConnection[] = []
      const counted = async () => {
        const asking = await open()
        sessions.push(asking)
        return (await asking.query(mysqlDiagnosis.replicas ?? ''))[0]?.[0]
      }
      try {
        sessions.push(await open('information_schema'))
        expect(await counted()).toBe('0')
        sessions.push(await open(), await open())
        expect(await counted()).toBe('1')
        const found = await diagnose({ DATABASE_URL: address.href, DB_POOL_MAX: '1000' })
        expect(found.names).toEqual(['connections: problem'])
        expect(found.text).toContain('(1 × (DB_POOL_MAX 1000 + 5))')
      } finally {
        for (const { close } of sessions) await close()
        await query(`drop user ${user}@'%'`)
      }
    }, 'mysql'))
})

describe.each(testDialects.filter((name) => name !== 'postgres'))('on %s', (dialect) => {
  test('a view that fails, and a table without a primary key', () =>
    withDatabase(async ({ url, query }) => {
      const environment = { DATABASE_URL: url, DB_POOL_MAX: '1' }
      await query('create table parts (id integer primary key)')
      await query('create view shares as select id from parts')
      expect((await diagnose(environment)).names).toEqual([])
      await query('drop table parts')
      await query('create table loose (a integer)')
      expect((await diagnose(environment)).names).toEqual(['keys: warning', 'views: warning'])
    }, dialect))
})

describe.runIf(testDialects.includes('sqlite'))('on SQLite', () => {
  test('a file that is not a database', async () => {
    const found = await diagnose({ DATABASE_URL: `sqlite:${import.meta.filename}` })
    expect(found.names).toEqual(['connection: problem'])
    expect(found.fix).toContain('path in DATABASE_URL')
  })

  test('a foreign key without an index', () =>
    withDatabase(async ({ url, query }) => {
      await query('create table authors (id integer primary key)')
      await query('create table notes (id integer primary key, author integer references authors)')
      const found = await diagnose({ DATABASE_URL: url })
      expect(found.names).toEqual(['indexes: warning'])
      await query(found.fix)
      expect((await diagnose({ DATABASE_URL: url })).names).toEqual([])
    }, 'sqlite'))

  test('a file that cannot be written, and one on a network file system', async () => {
    const local = { mayWrite: async () => true, type: async () => 0xef53 }
    expect(await adviceOn('/data/shop.db', local)).toEqual([])
    const readOnly = await adviceOn('/data/shop.db', { ...local, mayWrite: async (path) => path !== '/data/shop.db' })
    expect(readOnly).toMatchObject([{ level: 'problem', fix: `chmod u+w '/data/shop.db'` }])
    const [nfs = 0] = networkFileSystems.keys()
    expect(await adviceOn('/data/shop.db', { ...local, type: async () => nfs })).toMatchObject([
      { level: 'problem', text: expect.stringContaining('NFS'), fix: expect.stringContaining('local disk') },
    ])
  })
})
