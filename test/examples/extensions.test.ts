// The extensions of the examples, in the shop that their page starts.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../lib/free-port.ts'
import { until } from '../lib/service.ts'
import { startRun, type Run } from '../service/run.ts'

const run = promisify(execFile)
const home = fileURLToPath(new URL('../../examples/extensions/', import.meta.url))

let folder: string
let shop: Run

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tain-examples-'))
  const environment = { TMPDIR: folder, EXTENSIONS_PATH: '.' }
  shop = await startRun(['demo', '--port', String(await freePort())], { cwd: home, environment })
}, 180_000)
afterAll(async () => {
  await shop?.stop()
  await rm(folder, { recursive: true })
})

test('the script finds the filter, the action hook and the endpoint', async () => {
  const page = await readFile(join(home, 'README.md'), 'utf8')
  expect(page).toContain('\nEXTENSIONS_PATH=. npx tain demo\n')
  expect(page).toContain('\nsh try.sh\n')
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`
  const env = { PATH, TAIN_URL: shop.origin, TAIN_TOKEN: shop.token }
  const { stdout } = await run('sh', ['try.sh'], { cwd: home, env })
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  const refusal = { code: 'UNPROCESSABLE_CONTENT', extension: 'slugs' }
  expect(answers).toEqual([
    { data: { name: 'Garden & Balcony', slug: 'garden-balcony' } },
    { errors: [{ message: 'This category has products. Move them first.', extensions: refusal }] },
    { data: { rating: 5 } },
    { data: { tags: [expect.stringMatching(/^\d+ reviews$/u), expect.stringMatching(/^\d\.\d stars$/u)] } },
    { data: expect.arrayContaining([expect.objectContaining({ stock: expect.any(Number) })]) },
    { errors: [expect.objectContaining({ extensions: { code: 'INVALID_QUERY', extension: 'stock' } })] },
  ])
})

test('the job fills up what is scarce', async () => {
  const scarce = async () => {
    const answer = await shop.get('/extensions/stock/below/5')
    return ((await answer.json()) as { data: unknown[] }).data.length
  }
  await until(async () => (await scarce()) === 0, 40, 'the job has run')
  await shop.post('/items/products', { name: 'Scarce', sku: 'scarce-1', price: '1.00', stock: 1 })
  expect(await scarce()).toBe(1)
  await until(async () => (await scarce()) === 0, 40, 'the job has run again')
})
