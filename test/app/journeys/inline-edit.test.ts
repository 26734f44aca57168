import { describe, expect, test } from 'vitest'
import { dataOf } from '../../lib/service.ts'
import { handKinds } from '../hand.ts'
import { cellAt, editCell, gridOf } from '../sheet.ts'
import { useWorld } from '../world.ts'

const world = useWorld()

describe.each(handKinds)('with the %s', (hand) => {
  const newest = async () =>
    (dataOf(await world.service.get('/items/products?sort=-id&limit=1&fields=id,price,name')) as { price: string }[])[0]
      ?.price

  test('a cell is changed in place, a refused value is kept with its reason, and undo takes the change back', async () => {
    const visit = await world.visitAs('editor', { hand, path: '/c/products' })
    const { page, guard } = visit
    guard.allow(400)
    await gridOf(page, 'Products').waitFor()
    const price = await cellAt(page, 1, 'Price')
    const before = await newest()

    await editCell(visit, price)
    await visit.hand.key('Control+A')
    await visit.hand.type('77.50')
    await visit.hand.key('Enter')
    await expect.poll(newest).toBe('77.50')
    await expect.poll(() => price.textContent()).toBe('77.50')

    await editCell(visit, price)
    await visit.hand.key('Control+A')
    await visit.hand.type('-1')
    await visit.hand.key('Enter')
    await expect.poll(() => price.getAttribute('aria-invalid')).toBe('true')
    expect(await price.textContent()).toContain('1')
    await visit.hand.reach(price)
    await page.getByRole('alert').filter({ hasText: 'Esc restores' }).waitFor()
    await visit.hand.key('Escape')
    await expect.poll(() => price.textContent()).toBe('77.50')
    expect(await newest()).toBe('77.50')

    await visit.hand.key('Control+Z')
    await expect.poll(newest).toBe(before)
    await expect.poll(() => price.textContent()).toBe(before)
    await visit.hand.key('Control+Shift+Z')
    await expect.poll(newest).toBe('77.50')
    await visit.hand.key('Control+Z')
    await expect.poll(newest).toBe(before)
  })

  test('a field that may not be changed says why', async () => {
    const visit = await world.visitAs('editor', { hand, path: '/c/products' })
    const { page } = visit
    await gridOf(page, 'Products').waitFor()
    await editCell(visit, await cellAt(page, 2, 'Name'))
    await expect.poll(() => page.getByText('You may not change this field.').isVisible()).toBe(true)
  })
})
