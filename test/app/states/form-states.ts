// What the form of an item shows while it is read or saved late, refused or out of reach.
import { expect, test } from 'vitest'
import { dataOf } from '../../lib/service.ts'
import { signIn } from '../shop.ts'
import { sessionCookie, type Visit, type World } from '../world.ts'
import { lookAt } from './face.ts'
import { away, broken, hold, refuse, REQUEST_ID, tooMany } from './refusals.ts'

const path = '/c/customers/3'
const read = { method: 'GET', path: '/items/customers/3' }
const write = { method: 'PATCH', path: '/items/customers/3' }

export function formStates(world: World): void {
  const firstName = ({ page }: Visit) => page.getByRole('textbox', { name: 'First name' })
  const alertOf = ({ page }: Visit, text: string) => page.getByRole('alert').filter({ hasText: text })
  const saved = async () => (dataOf(await world.service.get('/items/customers/3')) as { first_name: string }).first_name
  const open = async (): Promise<Visit> => {
    const visit = await world.enterAs('editor', path)
    await firstName(visit).waitFor()
    return visit
  }
  const save = ({ page }: Visit) => page.getByRole('button', { name: /^Save \d change/u }).click()

  test('slow to read: what is waited for is said, with a way back', async () => {
    const visit = await world.enterAs('editor', '/c/customers')
    const { page } = visit
    await page.getByRole('grid', { name: 'Customers' }).waitFor()
    const release = await hold(page, read)
    await world.open(page, path)
    await page.getByRole('status').filter({ hasText: 'Reading the item…' }).waitFor()
    await lookAt(visit, 'form slow')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Customers')
    await release()
  })

  test('slow to save: the form goes on, and what is typed meanwhile stays', async () => {
    const visit = await open()
    const { page } = visit
    const release = await hold(page, write)
    await firstName(visit).fill('Slow')
    await save(visit)
    await page.getByRole('button', { name: 'Saving…' }).waitFor()
    await lookAt(visit, 'form saving')
    await page.getByRole('textbox', { name: 'Last name' }).fill('Typed meanwhile')
    await release()
    await page.getByRole('button', { name: 'Save 1 change' }).waitFor()
    expect(await saved()).toBe('Slow')
    expect(await page.getByRole('textbox', { name: 'Last name' }).inputValue()).toBe('Typed meanwhile')
  })

  test('offline: the draft is kept and can be saved when the connection is back', async () => {
    const visit = await open()
    const { page, context, guard } = visit
    guard.allowLostRequests()
    await firstName(visit).fill('Offline')
    await context.setOffline(true)
    await save(visit)
    await alertOf(visit, 'It is not known whether this was saved').waitFor()
    const bar = page.getByRole('status').filter({ hasText: 'The service cannot be reached.' })
    await bar.waitFor()
    await lookAt(visit, 'form offline')
    await context.setOffline(false)
    await bar.waitFor({ state: 'detached' })
    await save(visit)
    await expect.poll(saved).toBe('Offline')
  })

  test('401: asks to sign in over the page and keeps the draft', async () => {
    const visit = await world.visit()
    const { page, guard } = visit
    // the refusal of the session, of its renewal, and of what was sent beside
    guard.allow(401, 400, 403)
    const cookie = await sessionCookie(world.service, world.people.editor)
    await visit.context.addCookies([cookie])
    await world.open(page, path)
    await firstName(visit).fill('Signed in again')
    const headers = { cookie: `${cookie.name}=${cookie.value}`, 'sec-fetch-site': 'same-origin' }
    const { status } = await world.service.send('POST', '/auth/logout', { mode: 'session' }, { token: null, headers })
    expect(status).toBeLessThan(300)
    await save(visit)
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByText('What you typed is kept.').waitFor()
    await lookAt(visit, 'form 401')
    await dialog.getByLabel('Password', { exact: true }).fill(world.people.editor.password)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'detached' })
    await alertOf(visit, 'Your session has ended. Sign in, then try again. What you typed is kept.').waitFor()
    expect(await firstName(visit).inputValue()).toBe('Signed in again')
    await save(visit)
    await expect.poll(saved).toBe('Signed in again')
  })

  test('401 at a list: the rows come after signing in', async () => {
    const visit = await world.visit()
    const { page, guard } = visit
    guard.allow(401, 400, 403)
    const cookie = await sessionCookie(world.service, world.people.editor)
    await visit.context.addCookies([cookie])
    await world.open(page, '/c/products')
    await page.getByRole('grid', { name: 'Products' }).waitFor()
    await guard.quiet()
    const headers = { cookie: `${cookie.name}=${cookie.value}`, 'sec-fetch-site': 'same-origin' }
    await world.service.send('POST', '/auth/logout', { mode: 'session' }, { token: null, headers })
    await page.getByRole('link', { name: /^Suppliers/u }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.waitFor()
    await lookAt(visit, 'list 401')
    await dialog.getByLabel('Password', { exact: true }).fill(world.people.editor.password)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('grid', { name: 'Suppliers' }).getByRole('gridcell').first().waitFor()
    expect(await dialog.count()).toBe(0)
  })

  test('403: a row, a row that may only be read, and a field', async () => {
    const keyOf = async (status: string) =>
      (
        dataOf(await world.service.get(`/items/orders?filter[status][_eq]=${status}&limit=1&fields=id`)) as {
          id: number
        }[]
      )[0]?.id
    const visit = await world.enterAs('editor', `/c/orders/${await keyOf('cancelled')}`)
    const { page, guard } = visit
    guard.allow(403)
    await page.getByRole('heading', { name: 'There is no such item for you' }).waitFor()
    await lookAt(visit, 'form 403 row')
    await page.getByRole('button', { name: 'Back to Orders' }).click()
    await page.getByRole('grid', { name: 'Orders' }).waitFor()
    await world.open(page, `/c/orders/${await keyOf('delivered')}`)
    await page.getByText('You may not change this item.', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
    await lookAt(visit, 'form read only')
    await world.open(page, '/c/products/1')
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.waitFor()
    expect(await name.getAttribute('readonly')).not.toBeNull()
    await expect.poll(() => page.getByText('Read-only. You may not change this field.').count()).toBeGreaterThan(0)
    await lookAt(visit, 'form 403 field')
  })

  test('400: errors stand beside their fields', async () => {
    const visit = await world.enterAs('administrator', '/c/coupons/+')
    const { page, guard } = visit
    guard.allow(400)
    const code = page.getByRole('textbox', { name: 'Code' })
    const percent = page.getByRole('textbox', { name: 'Percent' })
    await code.fill('SPRING')
    await page.getByRole('button', { name: 'Create' }).click()
    await alertOf(visit, 'Nothing was saved').getByRole('button', { name: 'Percent' }).waitFor()
    await percent.fill('10')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Value has to be unique.').waitFor()
    expect(await code.getAttribute('aria-invalid')).toBe('true')
    await lookAt(visit, 'form unique')
    await code.fill('AUTUMN')
    await percent.fill('200')
    await page.getByRole('button', { name: 'Create' }).click()
    await alertOf(visit, 'A rule of the database refuses the value').waitFor()
    await lookAt(visit, 'form check')
    await percent.fill('30')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Created.').waitFor()
  })

  test('a deletion that other rows forbid says which, and leads to them', async () => {
    const visit = await world.enterAs('administrator', '/c/products/1')
    const { page, guard } = visit
    guard.allow(400)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog', { name: 'Delete this item?' }))
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText(/still refer to the item/u).waitFor()
    await lookAt(visit, 'form delete refused')
    await dialog.getByRole('link', { name: 'Show these rows' }).click()
    await expect.poll(() => page.getByRole('heading', { level: 1 }).first().textContent()).toBe('Order items')
  })

  test('429, 500 and 503 on saving: each says what to do, and the draft is kept', async () => {
    const visit = await open()
    const { page, guard } = visit
    guard.allow(429, 500, 503)
    await firstName(visit).fill('Kept')
    const refusals = [
      ['form 429', tooMany(7), 'Too many requests. Try again in 7 seconds. What you typed is kept.'],
      ['form 500', broken, `An administrator finds it in the log as ${REQUEST_ID}.`],
      ['form 503', away, 'Try again soon. What you typed is kept.'],
      [
        'form outcome unknown',
        { code: 'SERVICE_UNAVAILABLE', details: { outcome: 'unknown' } },
        'It is not known whether this was saved',
      ],
    ] as const
    for (const [name, refusal, words] of refusals) {
      const end = await refuse(page, write, refusal)
      await save(visit)
      await alertOf(visit, words).waitFor()
      await lookAt(visit, name)
      await end()
    }
    await save(visit)
    await expect.poll(saved).toBe('Kept')
  })

  test('503 on reading: the form comes by itself', async () => {
    const visit = await world.enterAs('editor', '/c/customers')
    const { page, guard } = visit
    guard.allow(503)
    const end = await refuse(page, read, away)
    await world.open(page, path)
    await page.getByRole('heading', { name: 'Not available right now' }).waitFor()
    await lookAt(visit, 'form away')
    await end()
    await firstName(visit).waitFor()
    expect(guard.problems()).toEqual([])
  })

  test('503 at the start: the app opens by itself', async () => {
    const visit = await world.visit()
    const { page, guard } = visit
    guard.allow(503)
    const start = { method: 'GET', path: '/server/app' }
    const release = await hold(page, start)
    const opening = world.open(page, '/login')
    await page.getByRole('heading', { name: 'Opening…' }).waitFor()
    await lookAt(visit, 'start slow')
    await release()
    await opening
    const end = await refuse(page, start, away)
    await world.open(page, '/login')
    await page.getByRole('heading', { name: 'Not available right now' }).waitFor()
    await lookAt(visit, 'start away')
    await end()
    await signIn(visit, world.people.viewer)
    await page.getByRole('navigation', { name: 'Modules' }).waitFor()
    expect(guard.problems()).toEqual([])
  })
}
