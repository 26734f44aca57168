import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDatabase, type TestDialect } from '../../test/databases.ts'
import { interruption, startService, stop } from '../throwaway.ts'

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
      return `${dialect}: GET /items/notes returns ${text}, GET /graphql the GraphiQL page`
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
