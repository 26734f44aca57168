// npm run verify app
// What the admin app costs: sizes, times and processor time, each with its bound. Times hold for a machine without other work.
import { cpus } from 'node:os'
import { fill } from '../measurements/scale-tables.ts'
import { median, type Figure } from '../measurements/service.ts'
import { connect, createDatabase } from '../lib/databases.ts'
import { startService, TOKEN } from '../lib/service.ts'
import { launchBrowser } from './browser.ts'
import { buildApp } from './built-app.ts'
import { sizesOfApp } from './first-load.ts'
import { createShop, type Shop } from './shop.ts'
import { openMeasured, type MeasuredPage } from './measured-page.ts'

const ROWS = 1_000_000
const TABLES = 5000
const REPEATS = 7
const PERSON = { email: 'ada@example.com', password: 'a password for measurements' }

const sales = `
  create table sales (
    id integer primary key, number varchar(20) not null, customer integer not null references customers (id),
    status varchar(10) not null, channel varchar(12) not null, total numeric(10, 2) not null, currency char(3) not null,
    items integer not null, paid boolean not null, sold_at timestamptz not null, note text);
  insert into sales select i, 'SO-' || i, 1 + i % 170, (array['new','paid','packed','shipped','delivered'])[1 + i % 5],
    (array['web','phone','store','marketplace'])[1 + i % 4], (i % 90000) / 100.0, 'EUR', 1 + i % 7, i % 3 = 0,
    timestamptz '2024-01-01' + i * interval '1 minute', case when i % 10 = 0 then 'Please leave it with the neighbours.' end
    from generate_series(1, ${ROWS}) i;
  analyze sales`

const atMost = (what: string, value: number, unit: string, bound: number): Figure => ({
  what,
  value,
  unit,
  bound: { atMost: bound },
})

async function sizes(): Promise<readonly Figure[]> {
  const { script, style, largestLater } = await sizesOfApp()
  return [
    atMost('scripts of the first load, gzip', script, 'KB', 150),
    atMost('styles of the first load, gzip', style, 'KB', 20),
    atMost('largest script that is loaded later, gzip', largestLater, 'KB', 130),
  ]
}

type Open = (path: string) => Promise<MeasuredPage>

async function coldOpen(open: Open): Promise<readonly Figure[]> {
  const times: number[] = []
  const work: number[] = []
  for (let turn = 0; turn < REPEATS; turn += 1) {
    const page = await open('/c/sales')
    times.push(await page.rowsAt())
    work.push((await page.processorTime()) * 1000)
    await page.close()
  }
  return [
    atMost(`cold open of ${ROWS.toLocaleString('en')} rows until they are painted`, median(times), 'ms', 1000),
    atMost('processor time of the main thread until then', median(work), 'ms', 400),
  ]
}

async function scrolling(open: Open): Promise<readonly Figure[]> {
  const page = await open('/c/sales')
  await page.rowsAt()
  await page.scroll(40, 60)
  const before = await page.processorTime()
  const slow = await page.scroll(40, 180)
  const perFrame = ((await page.processorTime()) - before) * 1000
  const fast = await page.scroll(200, 120)
  const jumps: number[] = []
  for (let turn = 0; turn < REPEATS; turn += 1) jumps.push(await page.jump((turn * 0.37) % 1))
  const nodes = await page.nodes()
  const heap = await page.heap()
  for (let turn = 0; turn < 30; turn += 1) await page.jump((turn * 0.173) % 1)
  const growth = (await page.heap()) - heap
  await page.close()
  return [
    atMost('scrolling 40 px a frame: processor time of the main thread a frame', perFrame / slow.frames, 'ms', 10),
    atMost(
      'scrolling 200 px a frame: frames with a row that is not there yet',
      (100 * fast.skeletons) / fast.frames,
      '%',
      10,
    ),
    atMost('jump to any place until its rows are painted', median(jumps), 'ms', 400),
    atMost('rows in the page', nodes.rows, 'rows', 60),
    atMost('elements in the page', nodes.elements, 'elements', 2500),
    atMost('growth of the heap after 30 jumps', growth / 1e6, 'MB', 10),
  ]
}

async function warmSwitch(open: Open): Promise<readonly Figure[]> {
  const page = await open('/c/customers')
  await page.rowsAt()
  await page.follow('Sales')
  const times: number[] = []
  for (let turn = 0; turn < REPEATS; turn += 1) {
    await page.follow('Customers')
    times.push(await page.follow('Sales'))
  }
  await page.close()
  return [atMost(`warm switch to ${ROWS.toLocaleString('en')} rows`, median(times), 'ms', 300)]
}

async function ofManyRows(shop: Shop): Promise<readonly Figure[]> {
  const browser = await launchBrowser()
  try {
    const open: Open = (path) => openMeasured(browser, shop.service.url, path, shop.people.administrator)
    const figures: Figure[] = []
    for (const measure of [coldOpen, scrolling, warmSwitch]) {
      const found = await measure(open)
      figures.push(...found)
    }
    return figures
  } finally {
    await browser.close()
  }
}

async function manyRows(): Promise<readonly Figure[]> {
  const shop = await createShop({
    async prepare({ url }) {
      const { query, close } = await connect(url)
      await query(sales)
      await close()
    },
  })
  try {
    return await ofManyRows(shop)
  } finally {
    await shop.service.stop()
    await shop.database.drop()
  }
}

async function manyTables(): Promise<readonly Figure[]> {
  const database = await createDatabase('postgres')
  await fill(database, TABLES)
  const { email, password } = PERSON
  const service = await startService({
    DATABASE_URL: database.url,
    ADMIN_EMAIL: email,
    ADMIN_PASSWORD: password,
    ADMIN_TOKEN: TOKEN,
    LOG_LEVEL: 'warn',
    // By default every sign-in takes half a second, so that its duration tells nothing.
    LOGIN_STALL_TIME: '100',
  })
  const browser = await launchBrowser()
  try {
    const times: number[] = []
    const names: number[] = []
    for (let turn = 0; turn < REPEATS; turn += 1) {
      const page = await openMeasured(browser, service.url, '/login?next=/c/table_1', null)
      times.push(await page.signIn(PERSON))
      names.push(await page.filterNames('table_4999'))
      await page.close()
    }
    return [
      atMost(`${TABLES.toLocaleString('en')} tables: from “Sign in” to the first rows`, median(times), 'ms', 1000),
      atMost(`filtering ${TABLES.toLocaleString('en')} names: processor time`, median(names), 'ms', 30),
    ]
  } finally {
    await browser.close()
    await service.stop()
    await database.drop()
  }
}

export async function budgets(): Promise<readonly Figure[]> {
  await buildApp()
  console.log(`${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`)
  return [...(await sizes()), ...(await manyRows()), ...(await manyTables())]
}
