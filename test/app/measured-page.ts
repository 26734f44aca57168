// A page whose work is measured from inside and by the browser's own counters.
import type { Browser } from 'playwright-core'

export interface MeasuredPage {
  /** Milliseconds from the start of the navigation to the first painted row. */
  rowsAt(): Promise<number>
  /** Seconds of processor time of the main thread so far: it does not depend on other work of the machine. */
  processorTime(): Promise<number>
  scroll(pixels: number, frames: number): Promise<{ readonly frames: number; readonly skeletons: number }>
  /** Goes to a share of the rows; milliseconds until they are painted. */
  jump(share: number): Promise<number>
  /** Opens a collection at the side; milliseconds until its rows are painted. */
  follow(collection: string): Promise<number>
  nodes(): Promise<{ readonly rows: number; readonly elements: number }>
  /** Bytes that are in use after a collection of garbage. */
  heap(): Promise<number>
  /** Milliseconds from the press on the button to the first painted row. */
  signIn(person: Credentials): Promise<number>
  /** Milliseconds of processor time for filtering the list at the side. */
  filterNames(text: string): Promise<number>
  close(): Promise<void>
}

interface Credentials {
  readonly email: string
  readonly password: string
}

const PATIENCE = 30_000
const firstCell = `document.querySelector('[role=row][aria-rowindex="2"] [role=gridcell][aria-colindex="2"]')`
const hasBones = `document.querySelector('[role=gridcell] i[data-length]') !== null`

/** Runs in the page: remembers when the first row was painted. */
const watcher = `
  const look = () => {
    const cell = ${firstCell}
    if (cell && cell.textContent !== '' && !cell.querySelector('i[data-length]')) globalThis.rowsPainted = performance.now()
    else requestAnimationFrame(look)
  }
  addEventListener('DOMContentLoaded', () => requestAnimationFrame(look))`

const frame = 'await new Promise((done) => requestAnimationFrame(done))'

export async function openMeasured(
  browser: Browser,
  url: string,
  path: string,
  person: Credentials | null,
): Promise<MeasuredPage> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  if (person !== null) {
    const { email, password } = person
    await context.request.post(`${url}/auth/login`, { data: { email, password, mode: 'session' } })
  }
  await context.addInitScript(watcher)
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.goto(`${url}/admin${path}`)
  const evaluate = async <T>(work: string): Promise<T> => (await page.evaluate(`(async () => { ${work} })()`)) as T

  const rowsAt = async (): Promise<number> => {
    // Asked for from outside: the policy of the page allows no evaluation inside it.
    for (const end = Date.now() + PATIENCE; Date.now() < end; await page.waitForTimeout(50)) {
      const time = await evaluate<number | null>('return globalThis.rowsPainted ?? null')
      if (time !== null) return time
    }
    throw new Error('no row was painted')
  }
  const processorTime = async (): Promise<number> => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  return {
    rowsAt,
    processorTime,
    scroll: (pixels, frames) =>
      evaluate(`
        const scroller = document.querySelector('[role=grid]').parentElement
        let skeletons = 0
        for (let frame = 0; frame < ${frames}; frame += 1) {
          scroller.scrollTop += ${pixels}
          ${frame}
          if (${hasBones}) skeletons += 1
        }
        return { frames: ${frames}, skeletons }`),
    jump: (share) =>
      evaluate(`
        const scroller = document.querySelector('[role=grid]').parentElement
        const began = performance.now()
        scroller.scrollTop = ${share} * (scroller.scrollHeight - scroller.clientHeight)
        do { ${frame} } while (${hasBones})
        return performance.now() - began`),
    follow: (collection) =>
      evaluate(`
        const began = performance.now()
        const links = [...document.querySelectorAll('nav[aria-label=Collections] a')]
        links.find((link) => link.textContent.startsWith(${JSON.stringify(collection)})).click()
        const isThere = () =>
          document.querySelector('[role=grid]')?.getAttribute('aria-label') === ${JSON.stringify(collection)} &&
          (${firstCell}?.textContent ?? '') !== '' && !(${hasBones})
        do { ${frame} } while (!isThere())
        return performance.now() - began`),
    nodes: () =>
      evaluate(`return {
        rows: document.querySelectorAll('[role=grid] [role=row]').length,
        elements: document.querySelectorAll('*').length,
      }`),
    async heap() {
      await devtools.send('HeapProfiler.collectGarbage')
      return (await devtools.send('Runtime.getHeapUsage')).usedSize
    },
    async signIn({ email, password }) {
      await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      const began = await evaluate<number>(`
        const began = performance.now()
        document.querySelector('button[type=submit]').click()
        return began`)
      return (await rowsAt()) - began
    },
    async filterNames(text) {
      const field = page.getByRole('textbox', { name: 'Filter collections' })
      await field.click()
      await page.waitForTimeout(500)
      const before = await processorTime()
      await page.keyboard.insertText(text)
      await evaluate(`${frame}; ${frame}; ${frame}`)
      return ((await processorTime()) - before) * 1000
    },
    close: () => context.close(),
  }
}
