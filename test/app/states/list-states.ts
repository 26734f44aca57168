// What a list shows while its rows are late, refused or out of reach.
import { expect, test } from 'vitest'
import { cellAt, editCell, gridOf } from '../sheet.ts'
import type { World } from '../world.ts'
import { lookAt } from './face.ts'
import { away, broken, hold, lose, refuse, REQUEST_ID, tooMany } from './refusals.ts'

const rows = { method: 'SEARCH', path: '/items/orders' }

export function listStates(world: World): void {
  const enter = async () => {
    const visit = await world.enterAs('editor', '/c/products')
    await gridOf(visit.page, 'Products').waitFor()
    return visit
  }
  const toOrders = (page: Awaited<ReturnType<typeof enter>>['page']) =>
    page
      .getByRole('navigation', { name: 'Collections' })
      .getByRole('link', { name: /^Orders/u })
      .click()

  test('slow: what is waited for is said after a second and can be cancelled', async () => {
    const visit = await enter()
    const { page, guard } = visit
    const release = await hold(page, rows)
    await toOrders(page)
    await page.getByRole('status').filter({ hasText: 'Reading the rows of Orders…' }).waitFor()
    await lookAt(visit, 'list slow')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alert').getByRole('heading', { name: 'Stopped' }).waitFor()
    await lookAt(visit, 'list stopped')
    await release()
    await page.getByRole('button', { name: 'Try again' }).click()
    await cellAt(page, 1, 'ID')
    expect(guard.problems()).toEqual([])
  })

  test('offline: the bar says so, rows stay, and the list goes on by itself', async () => {
    const visit = await enter()
    const { page, context, guard } = visit
    guard.allowLostRequests()
    const first = await (await cellAt(page, 1, 'Name')).textContent()
    await context.setOffline(true)
    const bar = page.getByRole('status').filter({ hasText: 'The service cannot be reached.' })
    await bar.waitFor()
    expect(await (await cellAt(page, 1, 'Name')).textContent()).toBe(first)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByText('They are read as soon as the connection is back.').waitFor()
    await lookAt(visit, 'list offline with rows')
    await toOrders(page)
    await page.getByRole('heading', { name: 'No connection' }).waitFor()
    await lookAt(visit, 'list offline')
    await context.setOffline(false)
    await bar.waitFor({ state: 'detached' })
    await cellAt(page, 1, 'ID')
  })

  test('a service that cannot be reached is noticed, and its return too, while the browser is online', async () => {
    const visit = await enter()
    const { page, guard } = visit
    guard.allowLostRequests()
    const ends = [await lose(page, rows), await lose(page, { method: 'GET', path: '/server/ping' })]
    await toOrders(page)
    const bar = page.getByRole('status').filter({ hasText: 'The service cannot be reached.' })
    await bar.waitFor()
    for (const end of ends) await end()
    await bar.waitFor({ state: 'detached' })
    await cellAt(page, 1, 'ID')
    expect(guard.problems()).toEqual([])
  })

  test('429: says when the rows are read again, and reads them then', async () => {
    const visit = await enter()
    const { page, guard } = visit
    guard.allow(429)
    const end = await refuse(page, rows, tooMany(4))
    await toOrders(page)
    await page.getByRole('alert').getByRole('heading', { name: 'Too many requests' }).waitFor()
    await page.getByText('Tried again by itself in 4 seconds.').waitFor()
    await lookAt(visit, 'list 429')
    await end()
    await cellAt(page, 1, 'ID')
    expect(guard.problems()).toEqual([])
  })

  test('500: gives the name of the request in the log', async () => {
    const visit = await enter()
    const { page, guard } = visit
    guard.allow(500)
    const end = await refuse(page, rows, broken)
    await toOrders(page)
    const face = page.getByRole('alert').filter({ hasText: 'Something went wrong' })
    await face.getByText(REQUEST_ID).waitFor()
    await lookAt(visit, 'list 500')
    await end()
    await face.getByRole('button', { name: 'Try again' }).click()
    await cellAt(page, 1, 'ID')
    expect(guard.problems()).toEqual([])
  })

  test('503: waits for the database and goes on by itself', async () => {
    const visit = await enter()
    const { page, guard } = visit
    guard.allow(503)
    const end = await refuse(page, rows, away)
    await toOrders(page)
    await page.getByRole('alert').getByRole('heading', { name: 'Not available right now' }).waitFor()
    await lookAt(visit, 'list 503')
    await end()
    await cellAt(page, 1, 'ID')
    expect(guard.problems()).toEqual([])
  })

  test('503 for a slow query is not tried again by itself', async () => {
    const visit = await enter()
    const { page, guard } = visit
    guard.allow(503)
    const reason = 'The query was too slow and was stopped; use a narrower filter, select less, or add an index'
    await refuse(page, rows, { ...away, message: `Service unavailable. ${reason}.`, details: { reason } })
    await toOrders(page)
    const face = page.getByRole('alert').filter({ hasText: 'It took too long' })
    await face.getByText('use a narrower filter').waitFor()
    expect(await face.getByText('Tried again by itself').count()).toBe(0)
    await lookAt(visit, 'list too slow')
  })

  test('403: a collection, and a field in the address', async () => {
    const visit = await world.enterAs('viewer', '/c/orders')
    const { page, guard } = visit
    guard.allow(403)
    await page.getByRole('alert').getByRole('heading', { name: 'There is no collection "orders"' }).waitFor()
    await lookAt(visit, 'list 403 collection')
    await world.open(page, '/c/customers?fields=id,email')
    const face = page.getByRole('alert').filter({ hasText: 'Not allowed' })
    await face.waitFor()
    await lookAt(visit, 'list 403 field')
    await face.getByRole('button', { name: 'Reset the view' }).click()
    await cellAt(page, 1, 'First name')
    expect(await page.getByRole('columnheader', { name: 'E-mail' }).count()).toBe(0)
  })

  test('400: a refused cell keeps what was typed, with the reason', async () => {
    const visit = await world.enterAs('administrator', '/c/coupons')
    const { page, guard, hand } = visit
    guard.allow(400)
    const code = await cellAt(page, 1, 'Code')
    await editCell(visit, code)
    await hand.key('Control+A')
    await hand.type('SPRING')
    await hand.key('Enter')
    await expect.poll(() => code.getAttribute('aria-invalid')).toBe('true')
    await hand.reach(code)
    await page.getByRole('alert').filter({ hasText: 'Value has to be unique. Enter edits it' }).waitFor()
    await lookAt(visit, 'list cell refused')
    await hand.key('Escape')
    await expect.poll(() => code.textContent()).toBe('SUMMER')
  })
}
