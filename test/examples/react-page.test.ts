// The React example, built and opened in a browser.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build, preview, type PreviewServer } from 'vite'
import { launchBrowser } from '../app/browser.ts'
import { freePort } from '../lib/free-port.ts'
import { startRun, type Run } from '../service/run.ts'

const root = fileURLToPath(new URL('../../examples/react-tanstack-query/', import.meta.url))

let folder: string
let shop: Run
let site: PreviewServer
let browser: Browser
let address: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tain-react-example-'))
  const port = await freePort()
  address = `http://127.0.0.1:${port}`
  const environment = { TMPDIR: folder, CORS_ENABLED: 'true', CORS_ORIGIN: address }
  shop = await startRun(['demo', '--port', String(await freePort())], { cwd: folder, environment })
  process.env['VITE_TAIN_URL'] = shop.origin
  const options = { root, logLevel: 'error' as const, build: { outDir: join(folder, 'dist') } }
  await build(options)
  site = await preview({ ...options, preview: { port, host: '127.0.0.1', strictPort: true } })
  browser = await launchBrowser()
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await site?.close()
  await shop?.stop()
  await rm(folder, { recursive: true })
})

/** The address and the password that the shop prints. */
const account = () => /(\S+@\S+) (\S+)\n/u.exec(shop.output().error)?.slice(1) ?? []

async function signIn(page: Page, password: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(account()[0] ?? '')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('signs in, lists orders, and changes the status of one', async () => {
  const page = await browser.newPage()
  await page.goto(address)
  await signIn(page, 'wrong')
  await page.getByRole('alert').getByText('The e-mail address or the password is wrong.').waitFor()
  await signIn(page, account()[1] ?? '')
  const rows = page.getByRole('row')
  await rows.nth(1).waitFor()
  const [order = ''] = await rows.nth(1).getByRole('cell').allTextContents()
  await rows.nth(1).getByRole('button', { name: 'Mark as packed' }).click()
  await page.getByRole('cell', { name: order, exact: true }).waitFor({ state: 'detached' })
  await expect
    .poll(async () => (await shop.get(`/items/orders/${order}?fields=status`)).json())
    .toEqual({ data: { status: 'packed' } })
  if (process.env['EXAMPLE_PICTURE'] !== undefined) await page.screenshot({ path: process.env['EXAMPLE_PICTURE'] })
}, 60_000)
