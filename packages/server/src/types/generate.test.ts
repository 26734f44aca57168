import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DESCRIPTION_VERSION, reservedTypeNames } from '@tain/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shop } from '../../../../test/types/shop.ts'
import { generateTypes } from './generate.ts'

const run = promisify(execFile)
const compiler = join(import.meta.dirname, '../../../../node_modules/typescript/bin/tsc')
const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUnusedLocals', '--noUnusedParameters']

test('the types of a shop', async () => {
  await expect(generateTypes(shop, 'the administrator')).toMatchFileSnapshot('../../../../test/types/shop.golden.txt')
})

test('the names that every file has are reserved', () => {
  const file = generateTypes({ version: DESCRIPTION_VERSION, collections: [] }, 'nobody')
  const names = [...file.matchAll(/^export (?:type|interface) (\w+)/gmu)].map(([, name]) => name)
  expect(new Set([...names, 'Partial'])).toEqual(new Set(reservedTypeNames))
})

describe('the compiler', { timeout: 60_000 }, () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'types-'))
    await writeFile(join(folder, 'schema.ts'), generateTypes(shop, 'the administrator'))
  })

  afterAll(() => rm(folder, { recursive: true }))

  /** The lines with errors, and their codes. */
  const compile = async (body: string): Promise<readonly (readonly [line: number, code: string])[]> => {
    await writeFile(join(folder, 'use.ts'), `import type * as shop from './schema.ts'\n${body}`)
    const options = [...strict, '--pretty', 'false', '--allowImportingTsExtensions', '--ignoreConfig']
    const told = await run(process.execPath, [compiler, ...options, join(folder, 'use.ts')]).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    )
    return [...told.matchAll(/\((\d+),\d+\): error (TS\d+)/gu)].map(([, line, code]) => [Number(line) - 1, code ?? ''])
  }

  test('accepts rows, payloads and filters as the service does', async () => {
    const use = `
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
    expect(await compile(use)).toEqual([])
  })

  test('refuses what the service refuses', async () => {
    const wrong = [
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
    const found = await compile(wrong.join('\n'))
    expect(found.map(([line]) => line)).toEqual(wrong.map((_, at) => at + 1))
    // No name was missing.
    expect(found.map(([, code]) => code)).not.toContain('TS2694')
  })
})
