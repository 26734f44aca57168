import { describe, expect, test } from 'vitest'
import { dataOf } from '../../service.ts'
import { handKinds } from '../hand.ts'
import { checkRow, filterByChoice, gridOf, textsOf } from '../sheet.ts'
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
})
