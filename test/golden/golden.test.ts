import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDialects } from '../databases.ts'
import { formatSql, literalsOf, sameWords } from './format-sql.ts'
import { startService, type Service } from './service.ts'

const isUpdate = process.env['UPDATE_GOLDEN'] === '1'

const entries = await readdir(import.meta.dirname, { withFileTypes: true })
const cases = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort()

const fileOf = (name: string, file: string) => join(import.meta.dirname, name, file)

interface Request {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
}

/** `METHOD path`, then an empty line and the body where there is one. */
async function readRequest(name: string): Promise<Request> {
  const text = await readFile(fileOf(name, 'request.txt'), 'utf8')
  const [first = '', ...rest] = text.split('\n')
  const [method = '', path = ''] = first.split(' ')
  const body = rest.join('\n').trim()
  return { method, path, body: body === '' ? undefined : body }
}

async function expectFile(name: string, file: string, text: string, isWritten: boolean): Promise<void> {
  if (isWritten) await writeFile(fileOf(name, file), text)
  expect(text).toBe(await readFile(fileOf(name, file), 'utf8'))
}

/** Every literal that the program itself writes into a statement; whatever a caller sends has to be a bind. */
const ownLiterals = new Set([
  '',
  '{',
  '}',
  '[]',
  'null',
  '%s',
  ',',
  '/',
  '%',
  '%25',
  '%2C',
  '%2F',
  'array',
  'number',
  'second',
  'base64',
  '**********',
  '0001-01-01',
  'infinity',
  'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"',
  'YYYY-MM-DD"T"HH24:MI:SS',
  '^-?[0-9]{1,18}$',
  '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  '[',
  ']',
  '-',
  '*[^0-9-]*',
  '*-*',
  'false',
  'true',
  '"**********"',
  'year',
  'month',
  'week',
  'day',
  'weekday',
  'hour',
  'minute',
  '{}',
  '"',
  '","',
  ', ',
  ', \n ',
  'ARRAY',
  'NULL',
  'INTEGER',
  'DOUBLE',
  'Z"',
  '.',
  '%Y-%m-%dT%H:%i:%s.%f',
  '"%Y-%m-%dT%H:%i:%s"',
  '"%H:%i:%s"',
  '$',
  '$[*]',
  '$.f0',
  '$.f1',
  '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
])

describe.each(testDialects)('golden reads of %s', (dialect) => {
  let service: Service

  beforeAll(async () => {
    service = await startService(dialect)
  })

  afterAll(async () => {
    await service.close()
  })

  test.each(cases)('%s', async (name) => {
    const { method, path, body } = await readRequest(name)
    const { status, text, statements } = await service.send(method, path, body)
    expect({ status, body: status === 200 ? '' : text }).toEqual({ status: 200, body: '' })
    expect(statements).toHaveLength(1)
    const [statement = ''] = statements
    expect(literalsOf(statement).filter((literal) => !ownLiterals.has(literal))).toEqual([])
    const formatted = formatSql(statement)
    expect(sameWords(formatted)).toBe(sameWords(statement))
    // One result for all databases: what they answer is the same.
    const isFirst = dialect === 'postgres'
    await expectFile(name, 'result.json', `${JSON.stringify(JSON.parse(text), null, 2)}\n`, isUpdate && isFirst)
    await expectFile(name, `${dialect}.sql`, formatted, isUpdate)
  })
})
