import { describe, expect, test } from 'vitest'
import { handKinds } from '../hand.ts'
import { cellAt, filterByChoice, gridOf, headerOf, textsOf } from '../sheet.ts'
import { useWorld } from '../world.ts'

const world = useWorld()

describe.each(handKinds)('with the %s', (hand) => {
  test('rows are filtered, sorted and searched, and the view is saved', async () => {
    const visit = await world.visitAs('editor', { hand, path: '/c/orders' })
    const { page } = visit
    await gridOf(page, 'Orders').waitFor()

    await filterByChoice(visit, 'Status', 'paid')
    await page.getByRole('button', { name: 'Status is paid' }).first().waitFor()
    await expect.poll(async () => [...new Set(await textsOf(page, 'Status'))]).toEqual(['paid'])

    await visit.hand.press(headerOf(page, 'Ordered at'))
    await expect.poll(() => headerOf(page, 'Ordered at').getAttribute('aria-sort')).toBe('ascending')
    const { body } = await world.service.search(
      'orders',
      { filter: { status: { _eq: 'paid' } }, sort: ['ordered_at'], limit: 1, fields: ['id'] },
      { token: world.people.editor.token },
    )
    const [first] = (body as { data: { id: number }[] }).data
    await expect.poll(async () => (await cellAt(page, 1, 'ID')).textContent()).toBe(String(first?.id))

    await visit.hand.press(page.getByRole('button', { name: 'Save as a new view' }))
    const dialog = page.getByRole('dialog', { name: 'Save as a new view' })
    const name = `Paid, by ${hand}`
    await visit.hand.write(dialog.getByRole('textbox', { name: 'Name' }), name)
    await visit.hand.press(dialog.getByRole('button', { name: 'Save', exact: true }))
    const views = page.getByRole('navigation', { name: 'Views' })
    await expect.poll(() => views.getByRole('link', { name }).getAttribute('aria-current')).toBe('page')

    await visit.hand.press(views.getByRole('link', { name: 'All', exact: true }))
    await expect.poll(async () => new Set(await textsOf(page, 'Status')).size).toBeGreaterThan(1)
    await page.reload()
    await visit.hand.press(views.getByRole('link', { name }))
    await expect.poll(async () => [...new Set(await textsOf(page, 'Status'))]).toEqual(['paid'])
  })

  test('rows are grouped by a field, with the count of each group', async () => {
    const visit = await world.visitAs('editor', { hand, path: '/c/orders' })
    const { page } = visit
    await gridOf(page, 'Orders').waitFor()
    await visit.hand.press(page.getByRole('button', { name: 'Group', exact: true }))
    await visit.hand.press(page.getByRole('menuitem', { name: 'Status' }))
    const { body } = await world.service.search(
      'orders',
      { groupBy: ['status'], aggregate: { count: ['*'] }, sort: ['-count', 'status'] },
      { token: world.people.editor.token },
    )
    const counted = (body as { data: { status: string; count: string }[] }).data
    const groups = page.getByRole('region', { name: 'Groups by Status' }).getByRole('heading')
    await expect
      .poll(() => groups.allTextContents())
      .toEqual(counted.map(({ status, count }) => `${status}${Number(count).toLocaleString('en')} rows`))

    const [largest] = counted
    await visit.hand.press(groups.first().getByRole('button'))
    await gridOf(page, largest?.status ?? '').waitFor()
    await expect.poll(async () => [...new Set(await textsOf(page, 'Status'))]).toEqual([largest?.status])

    await page.goBack()
    await gridOf(page, 'Orders').waitFor()
  })

  test('the address holds the view, and Back undoes a filter', async () => {
    const visit = await world.visitAs('viewer', { hand, path: '/c/products' })
    const { page } = visit
    await gridOf(page, 'Products').waitFor()
    const count = page.getByText(/^[\d,]+ rows?$/u)
    const before = await count.textContent()
    await visit.hand.write(page.getByRole('textbox', { name: 'Search in this collection' }), 'Chair')
    await expect.poll(async () => (await textsOf(page, 'Name')).every((name) => name.includes('Chair'))).toBe(true)
    const address = page.url()
    await page.goBack()
    await expect.poll(() => count.textContent()).toBe(before)
    await page.goto(address)
    await expect.poll(async () => (await textsOf(page, 'Name')).every((name) => name.includes('Chair'))).toBe(true)
    expect((await textsOf(page, 'Name')).length).toBeGreaterThan(0)
  })
})
