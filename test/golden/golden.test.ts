import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { caseNames, readSection, writeSection, type Section } from './case-file.ts'
import { formatSql, literalsOf, sameWords } from './format-sql.ts'
import { speakingTo, startService, type Service } from './service.ts'

const isUpdate = process.env['UPDATE_GOLDEN'] === '1'

const cases = caseNames()

interface Request {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
}

/** `METHOD path`, then an empty line and the body if there is one. */
function readRequest(name: string): Request {
  const [first = '', ...rest] = readSection(name, 'request').split('\n')
  const [method = '', path = ''] = first.split(' ')
  const body = rest.join('\n').trim()
  return { method, path, body: body === '' ? undefined : body }
}

function expectSection(name: string, section: Section, text: string, isWritten: boolean): void {
  if (isWritten) writeSection(name, section, text)
  expect(text).toBe(readSection(name, section))
}

/** Every literal that the service itself writes into a statement. All caller input must be bound as a parameter. */
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
  'text',
  'blob',
  'number',
  'second',
  'base64',
  '**********',
  '0001-01-01',
  'infinity',
  'milliseconds',
  // The parts of an interval.
  'P',
  'Y',
  'M',
  'D',
  'T',
  'H',
  'S',
  '|',
  'T|',
  'PT0S',
  'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"',
  'YYYY-MM-DD"T"HH24:MI:SS.US"Z"',
  'YYYY-MM-DD"T"HH24:MI:SS',
  'YYYY-MM-DD"T"HH24:MI:SS.MS',
  'YYYY-MM-DD"T"HH24:MI:SS.US',
  'HH24:MI:SS',
  'HH24:MI:SS.MS',
  'HH24:MI:SS.US',
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
  'UNSIGNED INTEGER',
  'DECIMAL',
  'Z',
  '.',
  '%Y-%m-%dT%H:%i:%s.%f',
  '%H:%i:%s.%f',
  '$',
  '$[*]',
  '$.f0',
  '$.f1',
  '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
])

/** The formatted statement, after a check that it contains no literal from a caller. */
function checked(statement = ''): string {
  expect(literalsOf(statement).filter((literal) => !ownLiterals.has(literal))).toEqual([])
  const formatted = formatSql(statement)
  expect(sameWords(formatted)).toBe(sameWords(statement))
  return formatted
}

describe.each(testDialects)('golden reads of %s', (dialect) => {
  let service: Service

  beforeAll(async () => {
    service = await startService(dialect)
  })

  afterAll(async () => {
    await service.close()
  })

  test.each(cases)('%s', async (name) => {
    const { method, path, body } = readRequest(name)
    const { status, text, statements } = await service.send(method, path, body)
    expect({ status, body: status === 200 ? '' : text }).toEqual({ status: 200, body: '' })
    expect(statements).toHaveLength(1)
    const formatted = checked(statements[0])
    // One result for all databases, because their responses are identical.
    const isFirst = dialect === 'postgres'
    expectSection(name, 'result', `${JSON.stringify(JSON.parse(text), null, 2)}\n`, isUpdate && isFirst)
    expectSection(name, dialect, formatted, isUpdate)
  })
})

/**
 * No MySQL server is available here: the test checks the text, and the response where MariaDB accepts the statement.
 */
describe.runIf(testDialects.includes('mysql'))('golden reads of MySQL 8', () => {
  let service: Service

  beforeAll(async () => {
    service = await startService('mysql', speakingTo('8.0.36'))
  })

  afterAll(async () => {
    await service.close()
  })

  test.each(cases)('%s', async (name) => {
    const { method, path, body } = readRequest(name)
    const { status, text, statements } = await service.send(method, path, body)
    // A statement that this server rejects is retried once after a schema reload.
    const reads = new Set(statements.filter((statement) => statement.startsWith('select v.stamp')))
    expect(reads.size).toBe(1)
    expectSection(name, 'mysql8', checked([...reads][0]), isUpdate)
    if (status === 200) expectSection(name, 'result', `${JSON.stringify(JSON.parse(text), null, 2)}\n`, false)
  })
})
