// npm run docs:pictures
// Drives the admin app over the demo shop and writes the pictures of docs/admin.md and the README.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, openPage } from '../test/app/browser.ts'
import { buildApp } from '../test/app/built-app.ts'
import { mouseOf } from '../test/app/hand.ts'
import type { Kind } from '../test/app/people.ts'
import { cellAt, filterByChoice, gridOf } from '../test/app/sheet.ts'
import { createShop, signIn, type Shop } from '../test/app/shop.ts'

const folder = join(import.meta.dirname, '../docs/pictures/admin')
const ROWS = 20_000
const QUALITY = 0.86

interface Scene {
  readonly name: string
  /** Null: before anybody has signed in. */
  readonly as?: Kind | null
  readonly theme?: 'light' | 'dark'
  readonly size?: { readonly width: number; readonly height: number }
  readonly path: string
  /** What is done before the picture is taken. */
  readonly prepare: (page: Page, shop: Shop) => Promise<void>
}

const phone = { width: 390, height: 844 }
const visitOf = (page: Page) => ({ page, hand: mouseOf(page) })
const list = (name: string) => (page: Page) => gridOf(page, name).waitFor()
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).first().waitFor()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()

const scenes: readonly Scene[] = [
  { name: 'sign-in', as: null, path: '/login', prepare: (page) => heading(page, /Sign in/u) },
  { name: 'list', path: '/c/orders', prepare: list('Orders') },
  {
    name: 'filter',
    theme: 'dark',
    path: '/c/orders',
    async prepare(page) {
      await list('Orders')(page)
      await filterByChoice(visitOf(page), 'Status', 'shipped')
      await page.getByRole('button', { name: 'Filter', exact: true }).click()
      await page.getByRole('combobox', { name: 'Field' }).last().fill('cust')
      await page.getByRole('listbox').getByRole('option').first().waitFor()
    },
  },
  {
    name: 'edit-in-place',
    path: '/c/products',
    async prepare(page) {
      await list('Products')(page)
      await (await cellAt(page, 5, 'Price')).dblclick()
      await page.getByRole('textbox', { name: 'Edit Price' }).waitFor()
    },
  },
  {
    name: 'paste',
    path: '/c/products',
    async prepare(page) {
      await list('Products')(page)
      const lines = ['Ash Tray\tTurned by hand\t18.50\t40', 'Oak Tray\tOiled\t22.00\t25', 'Cork Tray\tLight\ta lot\t60']
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(lines.join('\n'))})`)
      await (await cellAt(page, 1, 'Name')).click()
      await page.keyboard.press('Control+V')
      await page.getByRole('dialog', { name: /^Paste/u }).waitFor()
    },
  },
  {
    name: 'bulk-edit',
    theme: 'dark',
    path: '/c/orders',
    async prepare(page) {
      await list('Orders')(page)
      await filterByChoice(visitOf(page), 'Status', 'packed')
      await (await cellAt(page, 1, 'Status')).click()
      await page.keyboard.press('Shift+Space')
      await button(page, 'Edit').click()
      const drawer = page.getByRole('dialog', { name: /^Edit/u })
      await mouseOf(page).press(drawer.getByRole('switch', { name: 'Note' }))
      await drawer.getByLabel('New value of Note').fill('Ready for the courier')
      await drawer.getByRole('button', { name: 'Preview' }).click()
      await drawer
        .getByText(/would change/u)
        .first()
        .waitFor()
    },
  },
  { name: 'item', path: '/c/customers/12', prepare: (page) => page.getByRole('tab', { name: 'History' }).waitFor() },
  {
    name: 'picker',
    theme: 'dark',
    path: '/c/orders/1200',
    async prepare(page) {
      await button(page, /^Customer:/u).click()
      await page.getByRole('combobox', { name: 'Search Customers' }).fill('keller')
      await page.getByRole('listbox').getByRole('option').nth(3).waitFor()
    },
  },
  {
    name: 'conflict',
    path: '/c/customers/31',
    async prepare(page, { service }) {
      const first = page.getByRole('textbox', { name: 'First name' })
      await first.waitFor()
      await service.send('PATCH', '/items/customers/31', { first_name: 'Lucia', newsletter: true })
      await first.fill('Lucía')
      await page.keyboard.press('Control+S')
      await page.getByRole('dialog', { name: 'Somebody else changed this item' }).waitFor()
    },
  },
  {
    name: 'palette',
    path: '/c/products',
    async prepare(page) {
      await list('Products')(page)
      await page.keyboard.press('Control+K')
      await page.getByRole('combobox', { name: 'Search or jump to' }).fill('pro')
      await page.getByRole('listbox').getByRole('option').first().waitFor()
    },
  },
  {
    name: 'policy',
    theme: 'dark',
    path: '/access/policies',
    async prepare(page) {
      await page.getByRole('link', { name: 'Sales' }).click()
      await page.getByRole('button', { name: 'Orders', exact: true }).click()
      await page
        .getByText(/Rows where/u)
        .first()
        .waitFor()
    },
  },
  {
    name: 'explain',
    path: '/access/explain',
    async prepare(page) {
      await button(page, /^User:/u).click()
      await page.getByRole('textbox', { name: 'Search users' }).fill('Nora')
      await page.getByRole('button', { name: /Nora Vogel/u }).click()
      await page.getByRole('combobox', { name: 'Collection' }).selectOption({ label: 'Orders' })
      await page.getByRole('button', { name: 'Explain', exact: true }).click()
      await page.getByText('Nora Vogel may not do this').waitFor()
    },
  },
  { name: 'activity', path: '/activity', prepare: (page) => heading(page, 'Activity') },
  {
    name: 'phone',
    size: phone,
    path: '/c/orders',
    prepare: (page) => heading(page, 'Orders'),
  },
]

async function take(browser: Browser, shop: Shop, scene: Scene): Promise<number> {
  const { name, as = 'administrator', theme = 'light', size = { width: 1440, height: 900 }, path, prepare } = scene
  const { page, context, guard } = await openPage(browser, { theme, viewport: size })
  context.setDefaultTimeout(30_000)
  try {
    guard.allow(412)
    await page.goto(`${shop.service.url}/admin${path}`)
    if (as !== null) await signIn(visitOf(page), shop.people[as])
    await prepare(page, shop)
    await guard.quiet()
    const bytes = await compressed(page, await page.screenshot())
    await writeFile(join(folder, `${name}.webp`), bytes)
    const problems = guard.problems()
    if (problems.length > 0) throw new Error(`${name}: ${problems.join('; ')}`)
    return bytes.length
  } finally {
    await context.close()
  }
}

/** As WebP, which is a quarter of the size. The page's own policy allows pictures from data. */
async function compressed(page: Page, png: Buffer): Promise<Buffer> {
  const address = `data:image/png;base64,${png.toString('base64')}`
  const encoded = (await page.evaluate(`(async () => {
    const picture = new Image()
    picture.src = ${JSON.stringify(address)}
    await picture.decode()
    const canvas = document.createElement('canvas')
    canvas.width = picture.naturalWidth
    canvas.height = picture.naturalHeight
    canvas.getContext('2d').drawImage(picture, 0, 0)
    return canvas.toDataURL('image/webp', ${QUALITY})
  })()`)) as string
  return Buffer.from(encoded.slice(encoded.indexOf(',') + 1), 'base64')
}

/** Some changes by real people, so that histories are not empty. */
async function liveIn({ service, people }: Shop): Promise<void> {
  const send = (kind: Kind, path: string, body: object) =>
    service.send('PATCH', path, body, { token: people[kind].token })
  await service.send('PATCH', '/settings', { project_name: 'Hafen & Linden', project_descriptor: 'demo shop' })
  await send('editor', '/items/customers/12', { newsletter: true })
  await send('editor', '/items/customers/12', { last_name: 'Adler' })
  await send('editor', '/items/products/40', { stock: 12 })
  await send('administrator', '/items/products/40', { price: '59.00' })
  await service.send(
    'POST',
    '/comments',
    { collection: 'customers', item: '12', comment: 'Prefers deliveries in the morning.' },
    { token: people.editor.token },
  )
}

const wanted = new Set(process.argv.slice(2))
await mkdir(folder, { recursive: true })
await buildApp()
const shop = await createShop({ rows: ROWS })
const browser = await launchBrowser()
let total = 0
try {
  await liveIn(shop)
  for (const scene of scenes.filter(({ name }) => wanted.size === 0 || wanted.has(name))) {
    try {
      const size = await take(browser, shop, scene)
      total += size
      console.log(`${scene.name.padEnd(16)} ${(size / 1000).toFixed(0).padStart(4)} KB`)
    } catch (error) {
      console.error(`${scene.name}: no picture`, error)
      process.exitCode = 1
    }
  }
  console.log(`${'all'.padEnd(16)} ${(total / 1000).toFixed(0).padStart(4)} KB`)
} finally {
  await browser.close()
  await shop.service.stop()
  await shop.database.drop()
}
