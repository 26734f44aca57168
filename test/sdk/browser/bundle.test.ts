// The published files of the SDK in a browser, which calls the service from another origin.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../../app/browser.ts'
import { makePerson, makeRole, type Person } from '../../service/accounts.ts'
import { TOKEN } from '../../lib/service.ts'
import { startWorld, type World } from '../world.ts'
import { serveSdk, type Site } from './page.ts'

let [site, world, browser, page, person]: [Site?, World?, Browser?, Page?, Person?] = []

beforeAll(async () => {
  site = await serveSdk()
  world = await startWorld({ CORS_ENABLED: 'true', CORS_ORIGIN: site.origin, CORS_CREDENTIALS: 'true' })
  person = await makePerson(world.database, { role: await makeRole(world.database, { isAdmin: true }) })
  browser = await launchBrowser()
  page = await browser.newPage()
  await page.goto(site.origin)
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await world?.end()
  await site?.close()
})

/** Runs the body of an asynchronous function in the page, with `createClient`, `procedures` and the values of `given`. */
async function inPage(body: string, given: object = {}): Promise<unknown> {
  const script = `(async () => {
    const { createClient, isTainError } = await import('/index.js')
    const procedures = await import('/procedures.js')
    const { url, token, ...given } = ${JSON.stringify({ url: world?.service.url, token: TOKEN, ...given })}
    ${body}
  })()`
  return page?.evaluate(script)
}

test('reads, long queries, iterates, writes and batches', async () => {
  const result = await inPage(`
    const tain = createClient({ url, auth: token })
    const tags = tain.items('tags')
    const names = Array.from({ length: 800 }, (_, index) => 'name-' + index)
    const long = await tags.list({ fields: ['name'], filter: { name: { _in: [...names, 'gift'] } } })
    const made = await tags.create({ name: 'from a browser' }, { fields: ['name'] })
    const [batched] = await tain.batch((items) => [items('tags').create({ name: 'batched' })])
    const all = []
    for await (const { name } of tags.each({ fields: ['name'], limit: 2, sort: 'id' })) all.push(name)
    const ping = await tain.call(procedures.serverPing)
    return { long, made, batched: batched.name, all, ping }`)
  expect(result).toEqual({
    long: [{ name: 'gift' }],
    made: { name: 'from a browser' },
    batched: 'batched',
    all: ['steel', 'gift', 'heavy', 'from a browser', 'batched'],
    ping: 'pong',
  })
})

test('a session in a cookie: scripts see no token, and the browser sends it', async () => {
  const { email, password } = person ?? { email: '', password: '' }
  const result = await inPage(
    `
    const tain = createClient({ url, auth: { mode: 'session' } })
    const before = await tain.call(procedures.readMe).catch((error) => isTainError(error) && error.status)
    await tain.login({ email: given.email, password: given.password })
    const me = await tain.call(procedures.readMe, { fields: ['email'] })
    await tain.refresh()
    const again = await createClient({ url, auth: { mode: 'session' } }).call(procedures.readMe, { fields: ['email'] })
    const seen = document.cookie
    await tain.logout()
    const after = await tain.call(procedures.readMe).catch((error) => isTainError(error) && error.status)
    return { before, me, again, seen, after }`,
    { email, password },
  )
  expect(result).toEqual({ before: 401, me: { email }, again: { email }, seen: '', after: 401 })
})

test('errors and aborts', async () => {
  const result = await inPage(`
    const tags = createClient({ url, auth: token }).items('tags')
    const code = await tags.create({ name: 'steel' }).catch((error) => error.code)
    const aborted = await tags.list({}, { signal: AbortSignal.abort() }).catch((error) => error.name)
    const lost = await createClient({ url: 'http://127.0.0.1:1', retries: 0 }).items('x').list().catch((error) => error.code)
    return { code, aborted, lost }`)
  expect(result).toEqual({ code: 'RECORD_NOT_UNIQUE', aborted: 'AbortError', lost: 'NETWORK' })
})
