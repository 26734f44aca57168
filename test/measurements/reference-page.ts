import { launchBrowser, openPage } from '../app/browser.ts'
import type { Figure } from './service.ts'

/** One operation of each table. */
const SEARCHED = 'readSingleItems'

/** The page at `/docs/api` with a large document: until it lists everything, and until a search has found something. */
export async function measureReference(url: string, token: string): Promise<readonly Figure[]> {
  const browser = await launchBrowser()
  try {
    const { page } = await openPage(browser)
    page.setDefaultTimeout(60_000)
    await page.goto(`${url}/docs/api`)
    await page.getByText('What the public may do').waitFor()
    await page.getByLabel('Token').fill(token)
    let began = performance.now()
    await page.getByLabel('Token').press('Enter')
    await page.getByText(/^\d\d,\d+ of /u).waitFor()
    const listed = performance.now() - began
    const count = Number((await page.locator('#count').textContent())?.split(' ')[0]?.replaceAll(',', ''))
    began = performance.now()
    await page.getByLabel('Search operations').fill(SEARCHED)
    await page.getByText(/^5,\d+ of /u).waitFor()
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    const searched = performance.now() - began
    const rows = await page.locator('#list .row').count()
    return [
      { what: 'operations that the page lists', value: count, unit: '', bound: { atLeast: 50_000 } },
      { what: 'from the token to the list', value: listed, unit: 'ms', bound: { atMost: 10_000 } },
      { what: 'a search among them', value: searched, unit: 'ms', bound: { atMost: 500 } },
      { what: 'rows in the page', value: rows, unit: '', bound: { atMost: 100 } },
    ]
  } finally {
    await browser.close()
  }
}
