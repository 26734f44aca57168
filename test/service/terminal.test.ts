import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { widthOf } from '../../packages/server/src/cli/terminal.ts'
import { testDialects, withDatabase, type TestDatabase } from '../lib/databases.ts'
import { startOnTerminal, type TerminalSession } from '../lib/pty.ts'
import { TOKEN, until, type Environment } from '../lib/service.ts'

const schema = `
  create table authors (id integer not null primary key, name varchar(100) not null);
  create table articles (id integer not null primary key, title varchar(100) not null, author integer,
    foreign key (author) references authors (id));
  create table log_lines (line varchar(100));
  create view titles as select title from articles;
  insert into authors values (1, 'Ada');
  insert into articles values (1, 'One', 1), (2, 'Two', 1)`

const LONG = 600_000

const onTerminal = async <T>(
  database: TestDatabase,
  environment: Environment,
  work: (session: TerminalSession) => Promise<T>,
): Promise<T> => {
  const session = await startOnTerminal({ DATABASE_URL: database.url, ...environment })
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}

const bannerIn = ({ shown }: TerminalSession): readonly string[] => {
  const [banner = ''] = /^tain [\s\S]*?(?=\n\n)/mu.exec(stripVTControlCharacters(shown())) ?? []
  return banner.split('\n')
}

const ofAdminApp = /^Admin {4}|in the browser:$|\/admin\/setup\?token=/u

/** A checkout has the admin app only after a build. */
const withoutAdminApp = (lines: readonly string[]) => lines.filter((line) => !ofAdminApp.test(line))

/** The command of the banner, as a person would select it. */
function commandIn(lines: readonly string[]): string {
  const from = lines.findIndex((line) => line.slice(9).startsWith('curl '))
  const text = [(lines[from] ?? '').slice(9), ...lines.slice(from + 1)].join('\n')
  return /^(?:'[^']*'|"[^"]*"|\\\n|[^'"\n])*/u.exec(text)?.[0] ?? ''
}

const inShell = (command: string, environment: Environment = {}): string =>
  execFileSync('/bin/sh', ['-c', command], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], ...environment },
  })

/** The parts that differ from start to start. */
const normalised = (text: string) =>
  text
    .replace(/^tain \S+ · .*$/mu, 'tain <version> · <database>')
    .replaceAll(/127\.0\.0\.1:\d+/gu, '127.0.0.1:8055')
    .replace(/"token": "[\w-]{43}"/u, '"token": "<token>"')
    .replace(/\?token=[\w-]{43}/u, '?token=<token>')
    .replace(/"password": "[\w-]{16}"/u, '"password": "<password>"')
    .replaceAll(/^\d\d:\d\d:\d\d /gmu, '00:00:00 ')
    .replaceAll(/ [\d.,]+ ms$/gmu, ' 1 ms')

const products = { postgres: /PostgreSQL \d+\.\d+/u, mysql: /(MariaDB|MySQL) \d+\.\d+/u, sqlite: /SQLite 3\.\d+/u }

const guide = readFileSync(new URL('../../docs/guides/terminal.md', import.meta.url), 'utf8')
const blocks = [...guide.matchAll(/^```text\n([\s\S]*?)^```$/gmu)].map(([, block = '']) => block.trimEnd())

describe.each(testDialects)('the first start on a terminal: %s', (dialect) => {
  test(
    'shows the database and a command that creates the administrator',
    () =>
      withDatabase(async (database) => {
        await database.query(schema)
        await onTerminal(database, {}, async (session) => {
          const lines = bannerIn(session)
          expect(lines[0]).toMatch(products[dialect])
          expect(withoutAdminApp(lines).slice(1, 4)).toEqual([
            '3 tables, 1 view, 1 relation',
            'Awkward  1 table without a primary key (read-only): log_lines',
            `REST     ${session.url}/items/articles`,
          ])
          expect(withoutAdminApp(lines).filter((line) => widthOf(line) > 80)).toEqual([])
          expect(session.shown()).not.toContain('{"level"')
          const command = commandIn(lines)
          expect(inShell(command)).toContain('204 No Content')
          const { admin } = JSON.parse(/-d '([^']*)'/u.exec(command)?.[1] ?? '') as { admin: object }
          const login = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(admin) }
          expect((await fetch(`${session.url}/auth/login?access_token=`, login)).status).toBe(200)
          await fetch(`${session.url}/items/articles?access_token=wrong-token`)
          await until(() => session.shown().includes('/items/articles \u001b'), 60, 'the line of the last request')
          const log = session.shown().slice(session.shown().indexOf('/auth/login for an access token.'))
          expect(log).toContain('POST   /server/setup \u001b[32m204\u001b[39m')
          expect(log).toContain('GET    /items/articles \u001b[33m401\u001b[39m')
          expect(log).not.toContain('wrong-token')
          if (dialect !== 'postgres') return
          const plain = stripVTControlCharacters(session.shown())
          const isServed = (await fetch(`${session.url}/admin/`)).status === 200
          const told = (blocks[0] ?? '').split('\n')
          expect(normalised(lines.join('\n'))).toBe(normalised((isServed ? told : withoutAdminApp(told)).join('\n')))
          expect(normalised(plain.slice(plain.indexOf('POST   /server') - 9).trimEnd())).toBe(
            normalised(blocks[1] ?? ''),
          )
        })
      }, dialect),
    LONG,
  )
})

describe('a later start on a terminal', () => {
  test(
    'reads with ADMIN_TOKEN, which is not shown, and without colours where they are off',
    () =>
      withDatabase(async (database) => {
        await database.query(schema)
        const environment = { ADMIN_TOKEN: TOKEN, NO_COLOR: '1' }
        await onTerminal(database, environment, async (session) => {
          const lines = bannerIn(session)
          expect(lines.filter((line) => widthOf(line) > 80)).toEqual([])
          const answer = inShell(commandIn(lines), { ADMIN_TOKEN: TOKEN })
          expect(JSON.parse(answer)).toEqual({
            data: [
              { id: 1, title: 'One', author: 1 },
              { id: 2, title: 'Two', author: 1 },
            ],
          })
          await until(() => session.shown().includes('/items/articles 200'), 60, 'the line of the request')
          expect(session.shown()).not.toContain('\u001b[')
          expect(session.shown()).not.toContain(TOKEN)
        })
        // The administrator exists, and the start does not know its token.
        await onTerminal(database, {}, async (session) => {
          expect(bannerIn(session).join('\n')).toContain('/auth/login')
          expect(inShell(commandIn(bannerIn(session)))).toBe('pong')
          const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
          const policies = (await (
            await fetch(`${session.url}/access?filter[user][_null]=true&filter[role][_null]=true`, { headers })
          ).json()) as { data: { policy: string }[] }
          const permission = { policy: policies.data[0]?.policy, collection: 'authors', action: 'read', fields: ['*'] }
          const body = JSON.stringify(permission)
          expect((await fetch(`${session.url}/permissions`, { method: 'POST', headers, body })).status).toBe(200)
        })
        await onTerminal(database, {}, async (session) => {
          const command = commandIn(bannerIn(session))
          expect(command).toBe(`curl '${session.url}/items/authors?limit=3'`)
          expect(JSON.parse(inShell(command))).toEqual({ data: [{ id: 1, name: 'Ada' }] })
        })
      }, 'sqlite'),
    LONG,
  )
})
