import { describe, expect, test } from 'vitest'
import { dataOf } from '../../service.ts'
import { handKinds } from '../hand.ts'
import { useWorld } from '../world.ts'

const world = useWorld()

describe.each(handKinds)('with the %s', (hand) => {
  test('a supplier is created together with two products', async () => {
    const visit = await world.visitAs('administrator', { hand, path: '/c/suppliers/+' })
    const { page } = visit
    const name = `Rossi & ${hand}`
    await visit.hand.write(page.getByRole('textbox', { name: 'Name' }), name)
    await visit.hand.write(page.getByRole('textbox', { name: 'City' }), 'Milano')
    await visit.hand.write(page.getByRole('textbox', { name: 'Country' }), 'IT')
    const skus = [`${hand}-1`, `${hand}-2`]
    for (const sku of skus) {
      await visit.hand.press(page.getByRole('button', { name: 'New in Products' }))
      const drawer = page.getByRole('dialog', { name: 'New in Products' })
      await visit.hand.write(drawer.getByRole('textbox', { name: 'SKU' }), sku)
      await visit.hand.write(drawer.getByRole('textbox', { name: 'Name' }), 'Glass Lamp')
      await visit.hand.write(drawer.getByRole('textbox', { name: 'Price' }), '49.50')
      await visit.hand.press(drawer.getByRole('button', { name: 'Add', exact: true }))
      await page.getByRole('group', { name: 'Products' }).getByText(sku).waitFor()
    }
    await visit.hand.press(page.getByRole('button', { name: 'Create', exact: true }))
    const query = {
      filter: { name: { _eq: name } },
      fields: ['city', 'products.sku'],
      deep: { products: { _sort: ['sku'] } },
    }
    const stored = async () => dataOf(await world.service.search('suppliers', query))
    await expect.poll(stored).toEqual([{ city: 'Milano', products: skus.map((sku) => ({ sku })) }])
  })
})
