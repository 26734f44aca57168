// The page at /docs/api in a browser.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { dataOf, startService, TOKEN, type Service } from '../lib/service.ts'
import { colourViolationsOn, violationsOn } from './axe.ts'
import { launchBrowser, openPage, type OpenPage, type PageOptions } from './browser.ts'

let browser: Browser
let database: TestDatabase
let service: Service

beforeAll(async () => {
  database = await createDatabase('sqlite')
  await database.query('create table goods (id integer primary key, name varchar(20) not null, price decimal(10, 2))')
  await database.query("insert into goods values (1, 'Bread knife', 29.5)")
  service = await startService({
    DATABASE_URL: database.url,
    ADMIN_EMAIL: 'ada@example.com',
    ADMIN_PASSWORD: 'long-enough-password',
  })
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await database?.drop()
})

interface Visit extends OpenPage {
  /** Every request that left for another server. */
  readonly outside: readonly string[]
}

async function visit(options: PageOptions = {}, hash = ''): Promise<Visit> {
  const opened = await openPage(browser, options)
  const outside: string[] = []
  opened.page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(service.url) && !url.startsWith('data:')) outside.push(url)
  })
  // The page asks who its reader is, and the public is nobody.
  opened.guard.allow(401, 403)
  await opened.page.goto(`${service.url}/docs/api${hash}`)
  await opened.page.getByText('What the public may do').waitFor()
  return { ...opened, outside }
}

async function useToken(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token').fill(token)
  await page.getByLabel('Token').press('Enter')
}

test('opens without other servers, and lists what its reader may do', async () => {
  const { page, guard, outside } = await visit()
  await page.getByText('No collection is open to you').waitFor()
  expect(await page.getByRole('option').filter({ hasText: '/items/goods' }).count()).toBe(0)
  await useToken(page, TOKEN)
  await page.getByText(/^What (this token|ada@example\.com) may do$/u).waitFor()
  await page.getByRole('option').filter({ hasText: '/items/goods' }).first().waitFor()
  expect(outside).toEqual([])
  expect(guard.problems()).toEqual([])
})

test('sends a request with the token, and shows the response and a command', async () => {
  const { page, guard } = await visit({}, '#readItemsGoods')
  await useToken(page, TOKEN)
  await page.getByRole('heading', { name: 'GET /items/goods' }).waitFor()
  await page.getByLabel(/^limit/u).fill('1')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('200 OK').waitFor()
  expect(await page.getByRole('region', { name: 'Body' }).textContent()).toContain('Bread knife')
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    `curl '${service.url}/items/goods?limit=1' \\\n  -H "Authorization: Bearer $TOKEN"`,
  )
  expect(guard.problems()).toEqual([])
})

test('without a token it is the page of the session in this browser, and writes as its user', async () => {
  const { page, context, guard } = await openPage(browser)
  const credentials = { email: 'ada@example.com', password: 'long-enough-password', mode: 'session' }
  expect((await context.request.post(`${service.url}/auth/login`, { data: credentials })).status()).toBe(200)
  await page.goto(`${service.url}/docs/api#updateSingleItemsGoods`)
  await page.getByText('What ada@example.com may do').waitFor()
  await page.getByLabel(/^id/u).fill('1')
  await page.getByLabel('Body, as JSON').fill('{"name":"Carving knife"}')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('200 OK').waitFor()
  expect(await page.getByRole('region', { name: 'Body' }).textContent()).toContain('Carving knife')
  expect(await page.getByRole('region', { name: 'Command for curl' }).textContent()).not.toContain('TOKEN')
  expect(guard.problems()).toEqual([])
})

test('rolls writes back unless told otherwise, and shows why one is refused', async () => {
  const { page, guard } = await visit({}, '#createItemsGoods')
  guard.allow(400)
  await useToken(page, TOKEN)
  const body = page.getByLabel('Body, as JSON')
  await body.waitFor()
  expect(JSON.parse(await body.inputValue())).toEqual({ name: '' })
  const names = async () =>
    (dataOf(await service.get('/items/goods?fields=name')) as { name: string }[]).map(({ name }) => name)
  await body.fill('{"name":"Ladle"}')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('200 OK').waitFor()
  expect(await names()).toEqual(['Bread knife'])
  await page.getByLabel(/^Roll back/u).uncheck()
  await body.fill('{"nowhere":1}')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('.answer .failed', { hasText: /^[A-Z_]+: .+/u }).waitFor()
  await body.fill('{"name":"Spoon"}')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('200 OK').waitFor()
  expect(await names()).toEqual(['Bread knife', 'Spoon'])
  expect(guard.problems()).toEqual([])
})

test('says what is wrong with a token', async () => {
  const { page } = await visit()
  await useToken(page, 'no-such-token')
  const told = page.getByText('The document could not be loaded: ')
  await told.waitFor()
  expect(await told.textContent()).toMatch(/: Invalid/u)
})

test('is used with the keyboard alone', async () => {
  const { page, guard } = await visit({ isKeyboardOnly: true })
  await useToken(page, TOKEN)
  await page.getByText(/^\d{3} of /u).waitFor()
  await page.getByLabel('Search operations').focus()
  await page.keyboard.type('goods patch {id}')
  await page.getByText(/^1 of /u).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'PATCH /items/goods/{id}' }).waitFor()
  expect(await page.evaluate('document.activeElement.id')).toBe('operation')
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.name')).toBe('id')
  expect(guard.problems()).toEqual([])
})

test.each([1440, 1024, 390])('has no violation of accessibility in either theme, %i pixels wide', async (width) => {
  const { page } = await visit({ viewport: { width, height: 800 } }, '#createItemsGoods')
  await useToken(page, TOKEN)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText(/ · \d+ ms · /u).waitFor()
  for (const summary of await page.locator('main summary').all()) await summary.click()
  expect(await violationsOn(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await colourViolationsOn(page)).toEqual([])
  const isWider = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
  expect(isWider).toBe(false)
})

test('stays usable with five thousand collections', async () => {
  const { page, guard } = await openPage(browser)
  guard.allow(401, 403)
  const read = JSON.parse((await service.get('/server/specs/oas')).text) as { paths: Record<string, object> }
  const renamed = (item: object, name: string) =>
    JSON.parse(JSON.stringify(item).replaceAll('ItemsGoods"', `Items${name}"`)) as object
  for (let at = 1; at <= 5000; at += 1)
    for (const end of ['', '/{id}'])
      read.paths[`/items/table_${at}${end}`] = renamed(read.paths[`/items/goods${end}`]!, `Table${at}`)
  const text = JSON.stringify(read)
  await page.route('**/server/specs/oas', (route) => route.fulfill({ contentType: 'application/json', body: text }))
  await page.goto(`${service.url}/docs/api`)
  await page.getByText(/^55,\d+ of 55,\d+ operations$/u).waitFor()
  expect(await page.locator('#list .row').count()).toBeLessThan(100)
  const began = performance.now()
  await page.getByLabel('Search operations').fill('get table_4999')
  await page.getByText(/^2 of 55,/u).waitFor()
  expect(performance.now() - began).toBeLessThan(2000)
  await page.getByRole('option').first().click()
  await page.getByRole('heading', { name: 'GET /items/table_4999' }).waitFor()
  expect(guard.problems()).toEqual([])
})

test('is not there where the document is not', async () => {
  const other = await startService({ DATABASE_URL: database.url, OPENAPI_ENABLED: 'false' })
  try {
    for (const path of ['/docs/api', '/docs/api/page.js']) expect((await other.get(path)).status).toBe(404)
  } finally {
    await other.stop()
  }
})

test('its files have a strict policy, an ETag, and no others are there', async () => {
  for (const path of ['/docs/api', '/docs/api/page.js', '/docs/api/page.css']) {
    const answer = await service.get(path, { token: null })
    expect([path, answer.status]).toEqual([path, 200])
    expect(answer.headers.get('content-security-policy')).toMatch(
      /default-src 'none'; script-src 'self'; style-src 'self'/u,
    )
    const tag = answer.headers.get('etag') ?? ''
    expect((await service.get(path, { token: null, headers: { 'if-none-match': tag } })).status).toBe(304)
  }
  for (const path of ['/docs/api/README.md', '/docs/api/..%2Fpackage.json', '/docs/api/src/page.ts', '/docs'])
    expect([path, (await service.get(path)).status]).toEqual([path, 404])
})
