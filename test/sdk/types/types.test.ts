// The SDK with schemas as "tain types generate" writes them, through the compiler.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compile, errorsIn, instantiationsIn } from './compile.ts'
import { largeSchema } from './large-schema.ts'

const begin = `import { createClient } from '@tain/sdk'
import type { Schema } from './schema.ts'
const tain = createClient<Schema>({ url: 'http://localhost' })
`

const query = (index: number) => `
export const rows${index} = await tain.items('c${index}').list({
  fields: ['*', 'a.b.a.text1', 'many.b.text3', 'b.*', 'many.many.a.made', 'year(made)'],
  filter: { a: { b: { text2: { _eq: 'x' } } } },
  sort: ['-a.b.made'],
  deep: { many: { _limit: 3, many: { _sort: '-id' } } },
})
export const values${index} = rows${index}.map((row) => [row.a?.b.a?.text1, row.many[0]?.b.text3, row.made_year])
`

/** Of 300 collections, and 100 queries four relations deep. */
const MOST_INSTANTIATIONS = 1_000_000

test('a large schema does not make the compiler slow', () => {
  const program = `${begin}${Array.from({ length: 100 }, (_, index) => query(index)).join('')}`
  const printed = compile({ 'schema.ts': largeSchema(300), 'program.ts': program })
  const instantiations = instantiationsIn(printed)
  console.log(`300 collections, 100 queries: ${instantiations} instantiations; ${/Check time.*/u.exec(printed)?.[0]}`)
  expect(errorsIn(printed)).toEqual([])
  expect(instantiations).toBeLessThanOrEqual(MOST_INSTANTIATIONS)
})

const generated = readFileSync(join(import.meta.dirname, '../../types/shop.golden.txt'), 'utf8')

const program = `${begin}
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare const exactly: <E>() => <A>(call: () => Promise<A>, ...same: Equal<A, E> extends true ? [] : [E, A]) => void

exactly<{ id: number; customer: { name: string; born_year: number | null } | null; lines: { line: number }[] }[]>()(() =>
  tain.items('orders').list({
    fields: ['id', 'customer.name', 'customer.year(born)', 'lines.line'],
    filter: { 'year(placed)': { _eq: 2026 }, customer: { name: { _eq: 'Ada' } } },
  }))
exactly<{ customer: string | null; lines: string[]; shop: string; labels: string[] | null }[]>()(() =>
  tain.items('orders').list({ fields: ['customer', 'lines', 'shop', 'labels'] }))
exactly<{ item: { slug: string } | { name: string } | null }[]>()(() =>
  tain.items('page_blocks').list({ fields: ['item:articles.slug', 'item:customers.name'] }))
exactly<{ item: string | null; id: string; collection: string | null }[]>()(() => tain.items('page_blocks').list())
exactly<undefined>()(() => tain.items('letters').create({ text: 'Hello' }))
exactly<{ opens_hour: number | null }>()(() => tain.items('settings').read({ fields: ['hour(opens)'] }))
exactly<{ "it's odd": string }>()(() => tain.items('order-lines').read([1, 2], { fields: ["it's odd"] }))
await tain.items('orders').create({ status: 'paid', lines: [{ line: 1, "it's odd": 5 }] })
// @ts-expect-error: no such value
await tain.items('orders').create({ status: 'lost' })
// @ts-expect-error: no such field
await tain.items('orders').list({ filter: { customer: { nmae: { _eq: 'Ada' } } } })
// @ts-expect-error: the caller may not change customers
await tain.items('customers').update('1', {})
// @ts-expect-error: a view has no key
await tain.items('open_orders').read(1)
`

test('generated types are those that the SDK expects', () => {
  expect(errorsIn(compile({ 'schema.ts': generated, 'program.ts': program }))).toEqual([])
})

test('errors suggest the names that there are', () => {
  const wrong = `${begin}\nawait tain.items('orders').list({ fields: ['id', 'customer.nmae'] })`
  const [error = '', ...others] = errorsIn(compile({ 'schema.ts': generated, 'program.ts': wrong }))
  expect(others).toEqual([])
  expect(error).toContain(`Did you mean '"customer.name"'?`)
  expect(error).toContain('"customer.born"')
})
