// A shop and a browser: one world per test file.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { TestDatabase } from '../lib/databases.ts'
import type { Service } from '../lib/service.ts'
import { launchBrowser, openPage, type OpenPage, type PageOptions } from './browser.ts'
import { handOf, type Hand } from './hand.ts'
import type { Kind, People, Person } from './people.ts'
import { createShop, signIn, type Shop, type ShopOptions, type Visitor } from './shop.ts'

/** A person at the app, with a mouse or a keyboard. */
export type Visit = OpenPage & Visitor

export interface World {
  readonly database: TestDatabase
  readonly service: Service
  readonly people: People
  readonly browser: Browser
  /** A page of its own, closed at the end of the test, which fails if the guard found anything. */
  visit(options?: PageOptions & { readonly hand?: Hand['kind'] }): Promise<Visit>
  /** The same, signed in through the page. */
  visitAs(kind: Kind, options?: PageOptions & { readonly hand?: Hand['kind']; readonly path?: string }): Promise<Visit>
  /** A page of somebody who is signed in already: by a cookie, in less time. */
  enterAs(kind: Kind, path: string, options?: PageOptions): Promise<Visit>
  /** Opens a path of the app. */
  open(page: Page, path: string): Promise<void>
}

type Cookie = Parameters<BrowserContext['addCookies']>[0][number]

/** The cookie of a session that begins now. */
export async function sessionCookie(
  service: Service,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<Cookie> {
  const { headers } = await service.send('POST', '/auth/login', { email, password, mode: 'session' }, { token: null })
  const [name = '', value = ''] = (headers.getSetCookie()[0] ?? '').split(';')[0]?.split('=') ?? []
  return { name, value, url: service.url }
}

/** A world for the tests of this file. */
export function useWorld(options: ShopOptions = {}): World {
  let shop: Shop | null = null
  let browser: Browser | null = null
  const visits: Visit[] = []
  const there = <T>(value: T | null): T => {
    if (value === null) throw new Error('the world is not there yet')
    return value
  }

  beforeAll(async () => {
    ;[shop, browser] = await Promise.all([createShop(options), launchBrowser()])
  })
  afterEach(async ({ task }) => {
    const ended = visits.splice(0)
    const isFailed = task.result?.state === 'fail'
    const folder = process.env['APP_FAILURES']
    for (const [index, { page }] of ended.entries())
      if (isFailed && folder !== undefined)
        await page
          .screenshot({ path: `${folder}/${task.name.replaceAll(/\W+/gu, '-')}-${index}.png` })
          .catch(() => null)
    await Promise.all(ended.map(({ context }) => context.close()))
    expect(ended.flatMap(({ guard }) => guard.problems())).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await shop?.service.stop()
    await shop?.database.drop()
  })

  const open: World['open'] = async (page, path) => void (await page.goto(`${there(shop).service.url}/admin${path}`))
  const visit: World['visit'] = async ({ hand = 'mouse', ...given } = {}) => {
    const opened = await openPage(there(browser), { ...given, isKeyboardOnly: hand === 'keyboard' })
    const made = { ...opened, hand: handOf[hand](opened.page) }
    visits.push(made)
    return made
  }
  const cookies = new Map<Kind, Cookie>()
  const cookieOf = async (kind: Kind): Promise<Cookie> => {
    const known = cookies.get(kind)
    if (known !== undefined) return known
    const made = await sessionCookie(there(shop).service, there(shop).people[kind])
    cookies.set(kind, made)
    return made
  }
  return {
    get database() {
      return there(shop).database
    },
    get service() {
      return there(shop).service
    },
    get people() {
      return there(shop).people
    },
    get browser() {
      return there(browser)
    },
    open,
    visit,
    async enterAs(kind, path, given) {
      const made = await visit(given)
      await made.context.addCookies([await cookieOf(kind)])
      await open(made.page, path)
      return made
    },
    async visitAs(kind, { path = '/', ...given } = {}) {
      const made = await visit(given)
      await open(made.page, path)
      await signIn(made, there(shop).people[kind])
      await made.page.getByRole('navigation', { name: 'Modules' }).waitFor()
      return made
    },
  }
}
