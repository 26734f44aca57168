import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { startBanner, type StartFacts } from './banner.ts'
import { widthOf } from './terminal.ts'

const plain = { columns: 80, paint: (_: string, text: string) => text }

const facts: StartFacts = {
  version: '0.1.0',
  vendor: 'PostgreSQL 15.19',
  database: 'shop',
  tables: 12,
  views: 1,
  relations: 31,
  awkward: [{ what: '1 table without a primary key (read-only)', names: ['log_lines'] }],
  origin: 'http://127.0.0.1:8055',
  admin: 'http://127.0.0.1:8055/admin/',
  paths: { rest: '/items/articles', graphql: '/graphql' },
  writes: 'its own tables in the schema "tain"; nothing else until you ask for it',
  next: ['Read three articles:', `curl 'http://127.0.0.1:8055/items/articles?limit=3'`],
}

const linesOf = (changes: Partial<StartFacts>, terminal = plain) =>
  startBanner({ ...facts, ...changes }, terminal).split('\n')

test('a start shows the database, what was found, the addresses and the next step', () => {
  expect(startBanner(facts, plain)).toBe(
    `tain 0.1.0 · PostgreSQL 15.19 · shop
12 tables, 1 view, 31 relations
Awkward  1 table without a primary key (read-only): log_lines
Admin    http://127.0.0.1:8055/admin/
REST     http://127.0.0.1:8055/items/articles
GraphQL  http://127.0.0.1:8055/graphql
Writes   its own tables in the schema "tain"; nothing else until you ask for it
Next     Read three articles:
         curl 'http://127.0.0.1:8055/items/articles?limit=3'`,
  )
})

test('nothing awkward and no admin app, no line', () => {
  expect(startBanner({ ...facts, awkward: [], admin: null }, plain)).not.toMatch(/Awkward|Admin/u)
})

test('a list of names ends where the line ends', () => {
  const names = Array.from({ length: 1200 }, (_, index) => `readings_${index}`)
  const line = linesOf({ awkward: [{ what: '1,200 tables without a key', names }] })[2] ?? ''
  expect(line).toMatch(/^Awkward {2}1,200 tables without a key: readings_0, readings_1 and 1,198 more$/u)
  expect(widthOf(line)).toBeLessThanOrEqual(80)
})

test('no line is wider than 80 columns, and none wider than the terminal', () => {
  const long: Partial<StartFacts> = {
    database: '/var/lib/'.repeat(20),
    awkward: [{ what: 'tables '.repeat(30), names: ['表'.repeat(60)] }],
    writes: 'many words '.repeat(20),
    next: ['many words '.repeat(20).concat('.'), `curl ${'-H "Accept: application/json" '.repeat(9)}http://localhost`],
  }
  for (const columns of [200, 80, 60, 0])
    for (const line of linesOf(long, { ...plain, columns }))
      expect(widthOf(line)).toBeLessThanOrEqual(columns === 0 ? 80 : Math.min(columns, 80))
})

test('a wrapped command does in a shell what the unwrapped one does', () => {
  const words = [
    '-H',
    `'Content-Type: application/json; charset=utf-8'`,
    '-d',
    `'{"token": "${'x'.repeat(43)}",\n "a": 1}'`,
  ]
  const command = `printf '%s|' ${words.join(' ')} ${words.join(' ')}`
  const shown = linesOf({ next: [command] }).slice(7)
  expect(shown.length).toBeGreaterThan(3)
  const pasted = shown.map((line) => line.slice(9)).join('\n')
  const run = (text: string) => execFileSync('/bin/sh', ['-c', text], { encoding: 'utf8' })
  expect(run(pasted)).toBe(run(command))
})

test('names cannot send commands to the terminal', () => {
  const text = startBanner({ ...facts, awkward: [{ what: 'x', names: ['\u001b[2J'] }], database: 'a\nb' }, plain)
  expect(text).toContain('\\u{1b}[2J')
  expect(text).toContain('a\\nb')
})

test('the labels are painted if the terminal has colours', () => {
  const paint = (colour: string, text: string) => `<${colour}>${text}</${colour}>`
  expect(startBanner(facts, { columns: 80, paint })).toContain('<dim>REST     </dim>http://')
})
