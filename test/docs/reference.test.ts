import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aggregates, errorCodes, fieldFunctions, operators } from '@tain/contract'
import { describe, expect, test } from 'vitest'
import { examplesOf } from './examples.ts'
import { readPage, root } from './pages.ts'
import { errorTable, operatorTable } from './reference-tables.ts'

/** Errors that need a mail or a change or fault of the database, so no example provokes them. */
const unprovoked = new Set([
  'INVALID_INVITE',
  'USER_SUSPENDED',
  'RANGE_NOT_SATISFIABLE',
  'ILLEGAL_ASSET_TRANSFORMATION',
  'SERVICE_UNAVAILABLE',
  'POSITION_GONE',
  // Told on sockets only.
  'AUTH_FAILED',
  'AUTH_TIMEOUT',
  'LIMIT_EXCEEDED',
  'INTERNAL_SERVER_ERROR',
])

const runTextOf = (path: string) =>
  examplesOf(readPage(path))
    .map(({ block }) => block.lines.join('\n'))
    .join('\n')

/** The generated table between two comments of a page. UPDATE_DOCS=1 writes it first. */
function tableIn(path: string, name: string, table: readonly string[]): readonly string[] {
  const { lines } = readPage(path)
  const [start, end] = [lines.indexOf(`<!-- ${name} -->`), lines.indexOf(`<!-- /${name} -->`)]
  if (process.env['UPDATE_DOCS'] === undefined) return lines.slice(start + 2, end - 1)
  writeFileSync(join(root, path), [...lines.slice(0, start + 1), '', ...table, '', ...lines.slice(end)].join('\n'))
  return table
}

describe('the query guide', () => {
  const path = 'docs/query.md'

  test('lists the operators of the contract', () => {
    expect(tableIn(path, 'operators', operatorTable)).toEqual(operatorTable)
  })

  const text = runTextOf(path)
  test.each(Object.keys(operators))('runs an example with %s', (operator) => {
    expect(text).toMatch(new RegExp(`[["]${operator}[\\]"]`, 'u'))
  })
  test.each(Object.keys(fieldFunctions))('runs an example with the function %s', (name) => {
    expect(text).toContain(`${name}(`)
  })
  test.each(Object.keys(aggregates))('runs an example with the aggregate %s', (name) => {
    expect(text).toContain(`aggregate[${name}]`)
  })
})

describe('the page about errors', () => {
  const path = 'docs/errors.md'

  test('lists the errors of the contract', () => {
    expect(tableIn(path, 'errors', errorTable)).toEqual(errorTable)
  })

  test.each(Object.keys(errorCodes))('has a section about %s', (code) => {
    expect(readPage(path).headings.map(({ text }) => text)).toContain(code)
  })

  test.each(Object.keys(errorCodes).filter((code) => !unprovoked.has(code)))('shows a response with %s', (code) => {
    const shown = examplesOf(readPage(path)).flatMap(({ expected }) => expected?.lines ?? [])
    expect(shown.join('\n').includes(`"${code}"`)).toBe(true)
  })
})
