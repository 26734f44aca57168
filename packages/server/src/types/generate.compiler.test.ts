import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shop } from '../../../../test/types/shop.ts'
import { generateTypes } from './generate.ts'

const compiler = join(import.meta.dirname, '../../../../node_modules/.bin/tsc')
const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUnusedLocals', '--noUnusedParameters']

const accepted = `
  export const row: shop.Orders = {
    id: 1, customer: '2', status: "won't", placed: '2026-01-31T12:00:00.000Z', day: null, labels: ['a'],
    agent: 3, lines: ['1,1'], shop: { country: 'at', number: 1, x: null },
  }
  export const nested: shop.OrdersCreate = {
    customer: { name: 'Ann' },
    lines: [{ line: 1, "it's odd": 3.5 }, '1,2', { order: 1, line: 3, "it's odd": '1.0' }],
    labels: ['a'],
  }
  export const linked: shop.OrdersUpdate = { customer: { id: '4' }, lines: { create: [{ line: 2 }], delete: ['1,1'] } }
  export const block: shop.PageBlocksCreate = { collection: 'articles', item: { slug: 'a', title: null } }
  export const filters: shop.OrdersFilter[] = [
    { id: { _in: [1, 2] }, 'year(placed)': { _gte: 2026 }, 'count(lines)': { _gt: 1 } },
    { customer: { name: { _contains: 'n' }, details: { _json: { 'a.b': { _eq: 1 } } } } },
    { customer: { _null: true }, lines: { _none: { "it's odd": { _lt: 1 } } } },
    { _or: [{ status: { _eq: 'open' } }, { shop: { country: { _eq: 'at' } } }] },
    { '$FOLLOW(order-lines, order)': { line: { _eq: 1 } } },
  ]
  export const scoped: shop.PageBlocksFilter = { 'item:customers': { born: { _null: true } } }
  export const keys: [
    shop.Schema['orders']['key'], shop.Schema['order-lines']['key'], shop.Schema['articles']['key']
  ] = [1, '1,1', 'a']
`

const refused = [
  // A value that the database does not have, null, a missing field, and one that payloads may not contain.
  `export const a: shop.OrdersUpdate = { status: 'lost' }`,
  `export const b: shop.CustomersCreate = { name: null }`,
  `export const c: shop.CustomersCreate = { born: null }`,
  `export const d: shop.OrdersCreate = { id: 1 }`,
  // Keys.
  `export const e: shop.Schema['orders']['key'] = '1'`,
  `export const f: shop.ShopsChange = { country: 'at' }`,
  // Operators and functions.
  `export const g: shop.OrdersFilter = { id: { _contains: '1' } }`,
  `export const h: shop.OrdersFilter = { status: { _is: 'open' } }`,
  `export const i: shop.CustomersFilter = { details: { _json: { a: { _is: 1 } } } }`,
  `export const j: shop.OrdersFilter = { 'year(status)': { _eq: 1 } }`,
  `export const k: shop.OrdersFilter = { customer: { _none: {} } }`,
  // A verb that the caller does not have.
  `export const l: shop.Schema['shops']['create'] = {}`,
]

interface CompilerError {
  readonly file: string
  readonly line: number
  readonly code: string
}

/** The errors of a program of these files, which may use the types of the shop. */
function compile(files: Readonly<Record<string, string>>, folder: string): readonly CompilerError[] {
  writeFileSync(join(folder, 'schema.ts'), generateTypes(shop, 'the administrator'))
  for (const [file, body] of Object.entries(files))
    writeFileSync(join(folder, file), `import type * as shop from './schema.ts'\n${body}`)
  const options = [...strict, '--pretty', 'false', '--allowImportingTsExtensions', '--ignoreConfig']
  const { status, stdout } = spawnSync(compiler, [...options, ...Object.keys(files)], { cwd: folder, encoding: 'utf8' })
  // The refused file has errors, so a status of 0 means that the compiler has not run.
  expect(status).not.toBe(0)
  return [...stdout.matchAll(/^(.*?)\((\d+),\d+\): error (TS\d+)/gmu)].map(([, file = '', line, code = '']) => ({
    file,
    line: Number(line) - 1,
    code,
  }))
}

describe('the compiler', () => {
  const folder = mkdtempSync(join(tmpdir(), 'types-'))
  let errors: readonly CompilerError[]
  const errorsOf = (name: string) => errors.filter(({ file }) => file === name)

  beforeAll(() => {
    errors = compile({ 'accepted.ts': accepted, 'refused.ts': refused.join('\n') }, folder)
  }, 600_000)

  afterAll(() => rmSync(folder, { recursive: true }))

  test('accepts rows, payloads and filters as the service does', () => {
    expect(errors.filter(({ file }) => file !== 'refused.ts')).toEqual([])
  })

  test('refuses what the service refuses', () => {
    const found = errorsOf('refused.ts')
    expect(found.map(({ line }) => line)).toEqual(refused.map((_, at) => at + 1))
    // No name was missing.
    expect(found.map(({ code }) => code)).not.toContain('TS2694')
  })
})
