import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataOf, TOKEN, until, type Answer } from '../lib/service.ts'
import type { Row, Stage } from './stage.ts'
import { attack, mustHold, works, type Attack } from './verdict.ts'

const HEAD = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n'
const TYPE = 'multipart/form-data; boundary=x'

async function sendText({ service }: Stage, path: string, type: string, body: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': type }
  return service.send('POST', path, body, { headers })
}

const brokenForms = attack('H19d', 'forms that are broken or end in the middle', async (stage, verdict) => {
  const forms: Readonly<Record<string, readonly [type: string, body: string]>> = {
    'cut in its rows': [TYPE, `${HEAD}text\r\n`],
    'cut in its head': [TYPE, HEAD.slice(0, 60)],
    empty: [TYPE, ''],
    'without a boundary': ['multipart/form-data', `${HEAD}text\r\na\r\n--x--\r\n`],
    'with an empty boundary': ['multipart/form-data; boundary=', `${HEAD}text\r\na\r\n--x--\r\n`],
    'with another boundary': ['multipart/form-data; boundary=y', `${HEAD}text\r\na\r\n--x--\r\n`],
  }
  for (const [what, [type, body]] of Object.entries(forms))
    verdict.refused(what, await sendText(stage, '/utils/import/comments', type, body))
  works('a whole form', await sendText(stage, '/utils/import/comments', TYPE, `${HEAD}text\r\na\r\n--x--\r\n`))
})

const LEVELS = 200_000
const nested = (open: string, inner: string, close: string) => `${open.repeat(LEVELS)}${inner}${close.repeat(LEVELS)}`

const deepJson = attack('H19e', 'JSON of 200,000 levels', async (stage, verdict) => {
  const json = 'application/json'
  const deep = nested('[', '', ']')
  const bodies: readonly (readonly [path: string, body: string])[] = [
    ['/items/articles', deep],
    ['/items/articles', `{"title":${deep}}`],
    ['/items/articles', nested('{"a":', '1', '}').slice(0, 1_000_000)],
    ['/users', `{"email":${deep}}`],
    ['/auth/login', deep],
    ['/graphql', `{"query":"{ articles { id } }","variables":${deep}}`],
    ['/graphql', JSON.stringify({ query: `{ articles(filter: ${nested('[', '', ']')}) { id } }` })],
    ['/batch', deep],
  ]
  for (const [path, body] of bodies)
    verdict.refused(`${path} ${body.slice(0, 20)}`, await sendText(stage, path, json, body))
  const unending = await sendText(stage, '/items/articles', json, '['.repeat(LEVELS))
  verdict.refused('never closed', unending)
  works('JSON of one level', await sendText(stage, '/items/articles', json, '{"title":"flat"}'))
})

const aliases = attack('H19f', '5,000 aliases', async ({ admin }, verdict) => {
  const named = (count: number, what: string) =>
    Array.from({ length: count }, (_, index) => `a${index}: ${what}`).join(' ')
  verdict.refused('GraphQL fields', await admin.graphql(`{ articles { ${named(5000, 'title')} } }`))
  verdict.refused('GraphQL root fields', await admin.graphql(`{ ${named(5000, 'articles { id }')} }`))
  const alias = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`a${index}`, 'title']))
  verdict.refused('REST', await admin.search('articles', { alias }), 400)
  works('three aliases', await admin.graphql(`{ articles { ${named(3, 'title')} } }`))
})

const framed = attack('H19g', 'GraphiQL in a frame of another site', async ({ service }, verdict) => {
  const page = works('the page', await service.get('/graphql', { headers: { accept: 'text/html' } }))
  mustHold('it is a page', page.text.includes('<script>'))
  const policy = page.headers.get('content-security-policy') ?? ''
  verdict.holds(`frames: ${policy}`, policy.includes("frame-ancestors 'none'"))
  verdict.holds(`scripts: ${policy}`, policy.includes("default-src 'none'") && !policy.includes('unsafe-eval'))
  const scripts = /script-src ([^;]*)/u.exec(policy)?.[1] ?? ''
  verdict.holds(`inline scripts: ${scripts}`, scripts.includes('sha256-') && !scripts.includes('unsafe-inline'))
})

const fileMode = attack(
  'H19h',
  'the file of SQLite, read by other users of the machine',
  async ({ withService }, verdict) => {
    const folder = await mkdtemp(join(tmpdir(), 'tain-attack-'))
    const file = join(folder, 'made.db')
    try {
      await withService({ DATABASE_URL: `sqlite:${file}` }, async (service) => {
        works('the service on that file', await service.get('/users/me'))
        for (const suffix of ['', '-wal', '-shm']) {
          const mode = (await stat(`${file}${suffix}`)).mode & 0o777
          verdict.holds(`${suffix === '' ? 'the file' : suffix} has mode ${mode.toString(8)}`, mode === 0o600)
        }
      })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
  ['sqlite'],
)

const charsets = attack(
  'H18',
  'text that the character set of a column lacks',
  async ({ database, admin }, verdict) => {
    const sets = { latin1: ['é', '日本'], utf8mb3: ['日本', 'A😀B'] } as const
    for (const [set, [kept, lost]] of Object.entries(sets)) {
      const table = `words_${set}`
      await database.query(
        `create table ${table} (id integer auto_increment primary key, word varchar(20) character set ${set})`,
      )
      await database.query(`insert into ${table} (word) values ('?'), ('??'), ('A?B')`)
      const path = `/items/${table}`
      await until(async () => (await admin.get(path)).status === 200, 10, 'the new table is served')
      works(`${set} holds ${kept}`, await admin.send('POST', path, { word: kept }))
      verdict.refused(`${set} create`, await admin.send('POST', path, { word: lost }), 400)
      verdict.refused(`${set} update`, await admin.send('PATCH', `${path}/1`, { word: lost }), 400)
      const queries: readonly Row[] = [
        ...['_eq', '_contains', '_starts_with', '_icontains'].map((operator) => ({
          filter: { word: { [operator]: lost } },
        })),
        { filter: { word: { _in: [lost, '日本日本'] } } },
        { search: lost },
      ]
      for (const query of queries) {
        const { status, text } = await admin.search(table, query)
        const isEmpty = status === 200 && text === '{"data":[]}'
        verdict.holds(`${set} ${JSON.stringify(query)}: ${status} ${text.slice(0, 200)}`, isEmpty)
      }
      const found = dataOf(await admin.search(table, { filter: { word: { _in: [kept] } } })) as Row[]
      mustHold(`${set} finds ${kept}`, found.length === 1)
    }
  },
  ['mysql'],
)

/** The service's body timeout, and how late it may act on it. */
const LONGEST_BODY = 60_000
const LATE = 20_000

/** The import has been running since the stage was created. */
export const slowBody = attack('H19i', 'an import whose body never ends', async ({ slowImport }, verdict) => {
  mustHold('it was taken at first', slowImport.age() > 5000)
  const left = Math.max(0, LONGEST_BODY + LATE - slowImport.age())
  await until(() => !slowImport.isOpen(), left / 1000 + 0.1, 'the end').catch(() => 0)
  verdict.holds(`it is open after ${Math.round(slowImport.age() / 1000)} s`, !slowImport.isOpen())
  mustHold('other requests are answered', await slowImport.isServing())
})

export const requestAttacks: readonly Attack[] = [brokenForms, deepJson, aliases, framed, fileMode, charsets]
