// `tain demo`: a shop to read and write, which is gone afterwards.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../lib/command.ts'
import { createDatabase } from '../lib/databases.ts'
import { freePort } from '../lib/free-port.ts'
import { filesIn, launch, startRun, type Run } from './run.ts'

const PATIENCE = 180_000

let folder: string
let run: Run
let exitCode: number | null | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tain-demo-test-'))
  run = await startRun(['demo', '--port', String(await freePort())], { cwd: folder, environment: { TMPDIR: folder } })
}, PATIENCE)

afterAll(async () => {
  if (exitCode === undefined) await run?.stop()
  await rm(folder, { recursive: true })
})

const data = async (response: Response): Promise<unknown> => ((await response.json()) as { data: unknown }).data

test('serves 15 tables and a view, with the token of this run alone', async () => {
  expect(run.output().error).toMatch(/SQLite \d\S* · shop\.db\n15 tables, 1 view, /u)
  expect((await run.get('/items/orders', null)).status).toBe(403)
  expect(await data(await run.get('/items/orders?aggregate[count]=*'))).toEqual([{ count: expect.anything() }])
})

test('reads over relations of every kind in one request', async () => {
  const product = '/items/products?fields=name,supplier.name,product_categories.category.parent.name&limit=1'
  expect(await data(await run.get(product))).toEqual([
    {
      name: 'Classic Ash Chair',
      supplier: { name: expect.any(String) },
      product_categories: [{ category: { parent: { name: 'Furniture' } } }],
    },
  ])
  const page =
    '/items/pages/1?fields=title,blocks.collection,blocks.item:block_text.body,blocks.item:block_quote.author'
  expect(await data(await run.get(page))).toEqual({
    title: 'About us',
    blocks: [
      { collection: 'block_text', item: { body: expect.any(String) } },
      { collection: 'block_gallery', item: expect.anything() },
      { collection: 'block_quote', item: { author: 'A customer' } },
    ],
  })
  expect(await data(await run.get('/items/order_items/1,1?fields=line,order_id.status'))).toMatchObject({ line: 1 })
})

test('writes, because the file is its own', async () => {
  const made = await run.post('/items/reviews', {
    product: 1,
    rating: 5,
    body: 'Mine.',
    created_at: '2026-01-01T00:00:00Z',
  })
  expect(await data(made)).toMatchObject({ product: 1, rating: 5 })
  const refused = await run.post('/items/reviews', { product: 1, rating: 6, created_at: '2026-01-01T00:00:00Z' })
  expect(refused.status).toBe(400)
})

test('somebody can sign in, whether or not the admin app is there to say so', async () => {
  const credentials = /admin@example\.com (\S+)$/mu.exec(run.output().error)
  const isTold = (await run.get('/admin/', null)).status === 200
  expect(credentials !== null).toBe(isTold)
  const login = { email: 'admin@example.com', password: credentials?.[1], mode: 'session' }
  expect((await run.post('/auth/login', login)).status).toBe(isTold ? 200 : 400)
  const users = await data(await run.get('/users?fields=email,status'))
  expect(users).toEqual([{ email: 'admin@example.com', status: 'active' }])
})

test('removes its file at the end', async () => {
  expect((await filesIn(folder)).some((name) => name.endsWith('shop.db'))).toBe(true)
  exitCode = await run.stop()
  expect(exitCode).toBe(0)
  expect(await filesIn(folder)).toEqual([])
})

test(
  'writes the shop to a file, never over another one',
  async () => {
    const file = join(folder, 'shop.db')
    const write = async (...more: string[]) => {
      const { child, texts, closed } = launch(['demo', '--out', file, ...more], { cwd: folder })
      await closed
      return [child.exitCode, texts.out, texts.error.trimEnd()]
    }
    expect(await write('--rows', 'many')).toEqual([2, '', '--rows takes a whole number from 500 to 20000000.'])
    expect(await write()).toEqual([0, '', `2,000 rows → ${file}`])
    expect(await filesIn(folder)).toEqual(['shop.db'])
    expect(await write()).toEqual([2, '', `The file ${file} exists. Remove it, or choose another name.`])
  },
  PATIENCE,
)

test.each(['postgres', 'mysql'] as const)(
  'writes the shop to an empty database of %s, and to no other',
  async (dialect) => {
    const database = await createDatabase(dialect)
    try {
      const write = () => runCommand(['demo', '--out', database.url])
      expect(await write()).toEqual({ code: 0, out: '', error: `2,000 rows → ${database.name}\n` })
      const [order = []] = await database.query(`select o.id, o.customer, count(i.line), max(o.ordered_at)
        from orders o join order_items i on i.order_id = o.id where o.id = 1 group by o.id, o.customer`)
      expect(order).toEqual(['1', '55', '2', expect.stringContaining('2024-02-26 17:46:16')])
      await database.query(`insert into block_text (body) values ('The next key is free.')`)
      expect(await write()).toEqual({
        code: 2,
        out: '',
        error: 'The database has tables already. The shop is written to an empty database only.\n',
      })
    } finally {
      await database.drop()
    }
  },
  PATIENCE,
)
