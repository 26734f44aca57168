import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

async function expectFile(name: string, file: string, text: string): Promise<void> {
  if (isUpdate) await writeFile(fileOf(name, file), text)
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
])

describe('golden reads', () => {
  let service: Service

  beforeAll(async () => {
    service = await startService()
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
    await expectFile(name, 'postgres.sql', formatted)
    await expectFile(name, 'result.json', `${JSON.stringify(JSON.parse(text), null, 2)}\n`)
  })
})
