// Chromium, and a guard that fails a test for whatever a page should never do.
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, BrowserContextOptions, BrowserServer, Page } from 'playwright-core'

const PROGRAM = process.env['TEST_CHROMIUM'] ?? '/usr/bin/chromium'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const launchOptions = { executablePath: PROGRAM, args: flags, headless: true }

/** The address of the browser that all files of a run share. */
const SHARED = 'TEST_BROWSER'

/** A browser for all files of a run, each of which opens contexts in it. */
export async function shareBrowser(): Promise<BrowserServer> {
  const server = await chromium.launchServer(launchOptions)
  process.env[SHARED] = server.wsEndpoint()
  return server
}

/** The browser of the run, or one that starts now. Closing it closes what was opened in it here. */
export function launchBrowser(): Promise<Browser> {
  const { [SHARED]: shared } = process.env
  return shared === undefined ? chromium.launch(launchOptions) : chromium.connect(shared)
}

export interface PageOptions extends BrowserContextOptions {
  readonly theme?: 'light' | 'dark'
  /** Any use of a pointer is a problem. */
  readonly isKeyboardOnly?: boolean
}

/** What a page did that it should not do. */
export interface Guard {
  readonly problems: () => readonly string[]
  /** The browser reports refused requests as errors of the page. A test that causes one names its status. */
  readonly allow: (...statuses: readonly number[]) => void
  /** Requests without a response, for tests of a lost connection. */
  readonly allowLostRequests: () => void
  /** Resolves when no request has been on its way for a while. */
  readonly quiet: () => Promise<void>
  /** Statuses from 400 up of all requests so far. */
  readonly refusals: () => readonly Refusal[]
}

export interface Refusal {
  readonly status: number
  readonly method: string
  readonly path: string
}

export interface OpenPage {
  readonly page: Page
  readonly context: BrowserContext
  readonly guard: Guard
}

/** Runs in the page, before its own scripts. */
const watcher = `
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error('policy violated: ' + violatedDirective + ' ' + blockedURI))
  addEventListener('unhandledrejection', ({ reason }) => console.error('unhandled rejection: ' + String(reason)))
`
const pointerWatcher = `
  for (const name of ['pointerdown', 'mousedown', 'touchstart', 'wheel'])
    addEventListener(name, ({ isTrusted }) => { if (isTrusted) console.error('a pointer was used: ' + name) }, true)
`

export async function openPage(browser: Browser, options: PageOptions = {}): Promise<OpenPage> {
  const { theme = 'light', isKeyboardOnly = false, ...given } = options
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    colorScheme: theme,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...given,
  })
  context.setDefaultTimeout(15_000)
  await context.addInitScript(watcher)
  if (isKeyboardOnly) await context.addInitScript(pointerWatcher)
  const page = await context.newPage()
  return { page, context, guard: guardOf(page) }
}

const QUIET = 400

/** Watches how many requests are on their way. A change within a page is no navigation, so the browser does not tell. */
function quietOf(page: Page): () => Promise<void> {
  const open = new Set<unknown>()
  let last = performance.now()
  page.on('request', (request) => open.add(request))
  for (const name of ['requestfinished', 'requestfailed'] as const)
    page.on(name as 'requestfinished', (request) => {
      open.delete(request)
      last = performance.now()
    })
  return async () => {
    last = performance.now()
    while (open.size > 0 || performance.now() - last < QUIET) await page.waitForTimeout(50)
  }
}

const isAsset = (path: string): boolean => path.startsWith('/admin')

function guardOf(page: Page): Guard {
  const found: string[] = []
  const refused: Refusal[] = []
  const allowed = new Set<number>()
  let isLossAllowed = false
  page.on('pageerror', (error) => found.push(`error of the page: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() !== 'error') return
    const text = message.text()
    // Responses and lost requests are looked at below, where their paths are known.
    if (text.startsWith('Failed to load resource')) return
    found.push(`console: ${text}`)
  })
  page.on('response', (response) => {
    const status = response.status()
    if (status < 400) return
    const refusal = { status, method: response.request().method(), path: new URL(response.url()).pathname }
    refused.push(refusal)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    if (isLossAllowed || reason === 'net::ERR_ABORTED') return
    found.push(`no response: ${request.method()} ${request.url()} (${reason})`)
  })
  return {
    quiet: quietOf(page),
    problems: () => [
      ...found,
      ...refused
        .filter(({ status, path }) => isAsset(path) || !allowed.has(status))
        .map(({ status, method, path }) => `refused with ${status}: ${method} ${path}`),
    ],
    allow: (...statuses) => statuses.forEach((status) => allowed.add(status)),
    allowLostRequests: () => {
      isLossAllowed = true
    },
    refusals: () => refused,
  }
}
