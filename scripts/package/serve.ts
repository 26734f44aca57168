import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDatabase, type TestDialect } from '../../test/lib/databases.ts'
import { interruption, startService, stop } from '../../test/lib/throwaway.ts'

const TOKEN = 'token-of-the-administrator-of-this-run'
const EXPECTED = JSON.stringify({ data: [{ id: 1, title: 'first' }] })

/** Starts the program on a database of each kind and reads an item over HTTP; one line for each. */
export async function serves(program: string, work: string): Promise<readonly string[]> {
  const lines: string[] = []
  for (const dialect of ['sqlite', 'postgres'] as const) lines.push(await serveOn(dialect, program, work))
  return lines
}

async function serveOn(dialect: TestDialect, program: string, work: string): Promise<string> {
  const database = await createDatabase(dialect)
  const path = join(work, `${dialect}.log`)
  const log = openSync(path, 'w')
  try {
    await database.query(`create table notes (id integer primary key, title varchar(20) not null)`)
    await database.query(`insert into notes values (1, 'first')`)
    const environment = { DATABASE_URL: database.url, ADMIN_TOKEN: TOKEN, LOG_LEVEL: 'warn' }
    const service = await startService(environment, log, interruption(), program)
    try {
      const response = await fetch(`${service.url}/items/notes`, { headers: { Authorization: `Bearer ${TOKEN}` } })
      const text = await response.text()
      if (text !== EXPECTED) throw new Error(`${dialect}: expected ${EXPECTED}, and the response is ${text}`)
      const page = await fetch(`${service.url}/graphql`, { headers: { Accept: 'text/html' } })
      if (!(await page.text()).includes('<title>Tain GraphiQL')) throw new Error(`${dialect}: no GraphiQL page`)
      const reference = await fetch(`${service.url}/docs/api/page.js`)
      if (reference.status !== 200) throw new Error(`${dialect}: no page about the API`)
      const files = await adminFiles(service.url)
      return `${dialect}: GET /items/notes returns ${text}, GET /graphql the GraphiQL page, GET /docs/api a page, GET /admin/ the admin app with ${files} files`
    } finally {
      await stop(service.process)
    }
  } catch (error) {
    console.error(readFileSync(path, 'utf8'))
    throw error
  } finally {
    closeSync(log)
    await database.drop()
  }
}

/** Loads the page of the admin app with the files that it names, as a browser does; returns how many they are. */
async function adminFiles(origin: string): Promise<number> {
  const headers = { Accept: 'text/html', 'Accept-Encoding': 'br' }
  const page = await fetch(`${origin}/`, { headers })
  const html = await page.text()
  const base = /<base href="([^"]+)">/u.exec(html)?.[1]
  if (page.url !== `${origin}/admin/` || base === undefined) throw new Error(`GET / leads to ${page.url}: ${html}`)
  const names = [...html.matchAll(/(?:src|href)="(\.\/[^"]+)"/gu)].map(([, name = '']) => name)
  for (const name of names) {
    const { status, headers: found } = await fetch(new URL(name, `${origin}${base}`), { headers })
    if (status !== 200 || found.get('content-type')?.startsWith('text/html') === true)
      throw new Error(`the admin app names ${name}, which is answered with ${status} ${found.get('content-type')}`)
  }
  return names.length
}
