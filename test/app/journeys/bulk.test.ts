import { describe, expect, test } from 'vitest'
import { dataOf } from '../../lib/service.ts'
import { handKinds } from '../hand.ts'
import { cellAt, checkRow, filterByChoice, gridOf, textsOf } from '../sheet.ts'
import { useWorld } from '../world.ts'

const world = useWorld()

describe.each(handKinds)('with the %s', (hand) => {
  const notes = async () =>
    dataOf(await world.service.get('/items/orders?filter[status][_eq]=packed&limit=-1&sort=id&fields=id,note')) as {
      note: string | null
    }[]

  test('all matching rows are changed after a preview, and undone', async () => {
    const visit = await world.visitAs('administrator', { hand, path: '/c/orders' })
    const { page } = visit
    await gridOf(page, 'Orders').waitFor()
    const before = await notes()
    const count = before.length
    await filterByChoice(visit, 'Status', 'packed')
    await expect.poll(async () => [...new Set(await textsOf(page, 'Status'))]).toEqual(['packed'])
    await checkRow(visit, 1, 'Status')
    const bar = page.getByRole('toolbar', { name: 'Selected rows' })
    await visit.hand.press(bar.getByRole('button', { name: 'Select all matching' }))
    await bar.getByText(`All ${count} matching`).waitFor()
    await visit.hand.press(bar.getByRole('button', { name: 'Edit' }))

    const drawer = page.getByRole('dialog', { name: /Edit all matching rows/u })
    await visit.hand.press(drawer.getByRole('switch', { name: 'Note' }))
    const words = `Ready for the courier, by ${hand}`
    await visit.hand.write(drawer.getByLabel('New value of Note'), words)
    await visit.hand.press(drawer.getByRole('button', { name: 'Preview' }))
    await drawer.getByText(`${count} rows would change`).waitFor()
    expect(await notes()).toEqual(before)
    await visit.hand.press(drawer.getByRole('button', { name: `Change ${count} rows` }))
    await page.getByText(`${count} rows changed.`).waitFor()
    expect((await notes()).every(({ note }) => note === words)).toBe(true)

    await visit.hand.press(page.getByRole('button', { name: 'Undo' }))
    await expect.poll(notes).toEqual(before)
  })

  test('Ctrl+Z takes a bulk edit back, without a row that somebody changed since, and Ctrl+Shift+Z does it again', async () => {
    const visit = await world.visitAs('administrator', { hand, path: '/c/suppliers' })
    const { page, guard } = visit
    await gridOf(page, 'Suppliers').waitFor()
    const cities = async () =>
      (
        dataOf(await world.service.get('/items/suppliers?sort=id&fields=id,city')) as { id: number; city: string }[]
      ).map(({ city }) => city)
    const before = await cities()
    await expect.poll(async () => (await textsOf(page, 'City')).length).toBe(before.length)
    await checkRow(visit, 1, 'City')
    const bar = page.getByRole('toolbar', { name: 'Selected rows' })
    await visit.hand.press(bar.getByRole('button', { name: 'Select all matching' }))
    await visit.hand.press(bar.getByRole('button', { name: 'Edit' }))
    const drawer = page.getByRole('dialog', { name: /Edit all matching rows/u })
    await visit.hand.press(drawer.getByRole('switch', { name: 'City' }))
    await visit.hand.write(drawer.getByLabel('New value of City'), `Town of the ${hand}`)
    await visit.hand.press(drawer.getByRole('button', { name: 'Preview' }))
    await visit.hand.write(drawer.getByRole('textbox', { name: 'Type "suppliers" to go on' }), 'suppliers')
    await visit.hand.press(drawer.getByRole('button', { name: `Change ${before.length} rows` }))
    await page.getByText(`${before.length} rows changed.`).waitFor()
    const changed = before.map(() => `Town of the ${hand}`)
    expect(await cities()).toEqual(changed)
    await expect.poll(() => textsOf(page, 'City')).toEqual(changed)

    await visit.hand.reach(await cellAt(page, 1, 'City'))
    await visit.hand.key('Control+Z')
    await expect.poll(cities).toEqual(before)
    await expect.poll(async () => (await textsOf(page, 'City')).toSorted()).toEqual(before.toSorted())
    await visit.hand.key('Control+Shift+Z')
    await expect.poll(cities).toEqual(changed)

    guard.allow(412)
    dataOf(await world.service.send('PATCH', '/items/suppliers/1', { city: 'Elsewhere' }))
    await page.getByText(`Done again: ${before.length} rows changed.`).waitFor()
    await visit.hand.key('Control+Z')
    await page.getByText('1 row was changed by somebody else since, and left alone.').waitFor()
    expect(await cities()).toEqual(['Elsewhere', ...before.slice(1)])
    dataOf(await world.service.send('PATCH', '/items/suppliers/1', { city: before[0] }))
  })

  test('Ctrl+Z creates deleted rows again, with their keys', async () => {
    const visit = await world.visitAs('administrator', { hand, path: '/c/reviews' })
    const { page } = visit
    await gridOf(page, 'Reviews').waitFor()
    const reviews = async () => dataOf(await world.service.get('/items/reviews?limit=-1&sort=id')) as { id: number }[]
    const before = await reviews()
    const ids = [await (await cellAt(page, 1, 'ID')).textContent(), await (await cellAt(page, 2, 'ID')).textContent()]
    await checkRow(visit, 1, 'ID')
    await checkRow(visit, 2, 'ID')
    const bar = page.getByRole('toolbar', { name: 'Selected rows' })
    await visit.hand.press(bar.getByRole('button', { name: 'Delete' }))
    await page.getByText('2 rows deleted.').waitFor()
    const rest = before.filter(({ id }) => !ids.includes(String(id)))
    expect(await reviews()).toEqual(rest)
    await expect.poll(() => textsOf(page, 'ID')).not.toContain(ids[0])

    await visit.hand.reach(await cellAt(page, 1, 'ID'))
    await visit.hand.key('Control+Z')
    await expect.poll(reviews).toEqual(before)
    await expect.poll(() => textsOf(page, 'ID')).toContain(ids[0])
    await visit.hand.key('Control+Shift+Z')
    await expect.poll(reviews).toEqual(rest)
    await page.getByText('Done again: 2 rows deleted.').waitFor()
    await visit.hand.key('Control+Z')
    await expect.poll(reviews).toEqual(before)
  })
})
