// The examples that are programs, run as their pages say.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../lib/command.ts'
import { freePort } from '../lib/free-port.ts'
import { startRun, type Run } from '../service/run.ts'

const run = promisify(execFile)
const examples = fileURLToPath(new URL('../../examples/', import.meta.url))

let folder: string
let shop: Run

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tain-examples-'))
  shop = await startRun(['demo', '--port', String(await freePort())], { cwd: folder, environment: { TMPDIR: folder } })
}, 180_000)
afterAll(async () => {
  await shop?.stop()
  await rm(folder, { recursive: true })
})

/** The output of a command that the README of an example names. */
async function outputOf(example: string, command: string): Promise<string> {
  expect(await readFile(join(examples, example, 'README.md'), 'utf8')).toContain(`\n${command}\n`)
  const [program = '', ...args] = command.split(' ')
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`
  const env = { PATH, TAIN_URL: shop.origin, TAIN_TOKEN: shop.token }
  return (await run(program, args, { cwd: join(examples, example), env })).stdout
}

const linesOf = (output: string) => output.split('\n').filter((line) => line.startsWith('{'))

test('curl: reads, writes, a repeated create and an error', async () => {
  const responses = linesOf(await outputOf('curl', 'sh orders.sh')).map((line) => JSON.parse(line) as unknown)
  expect(responses).toEqual([
    {
      data: Array.from({ length: 2 }, () => ({
        id: expect.any(Number),
        status: expect.any(String),
        customer: { email: expect.stringContaining('@') },
      })),
    },
    { data: expect.arrayContaining([expect.objectContaining({ stock: expect.any(Number) })]) },
    { data: { id: 900001, rating: 4 } },
    { data: { rating: 5, product: { name: 'Classic Ash Chair' } } },
    { data: { name: 'Lamp & Co' } },
    { data: { name: 'Lamp & Co' } },
    { errors: [expect.objectContaining({ message: expect.stringContaining('Did you mean "name"?') })] },
  ])
})

test('fetch: orders by status, and the best customers', async () => {
  const output = await outputOf('fetch', 'node report.ts')
  expect(output).toMatch(/^delivered +\d+ orders$/mu)
  expect(output.match(/^\S.*: \d+ orders$/gmu)).toHaveLength(3)
})

test('a Node script: restocks once', async () => {
  expect(await outputOf('node-script', 'node restock.ts')).toMatch(/^[1-9]\d* products restocked$/mu)
  expect(await outputOf('node-script', 'node restock.ts')).toBe('0 products restocked\n')
})

test('the types of the examples are those of the shop', async () => {
  const file = join(folder, 'shop.db')
  expect(await runCommand(['demo', '--out', file])).toMatchObject({ code: 0 })
  const check = ['types', 'generate', '--from', `sqlite:${file}`, '--out', join(examples, 'schema.ts'), '--check']
  expect(await runCommand(check)).toMatchObject({ code: 0 })
})
