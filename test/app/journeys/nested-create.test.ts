import { describe, expect, test } from 'vitest'
import { dataOf } from '../../lib/service.ts'
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

  test('a category is created with a child, two existing products and a new one, in one request', async () => {
    const visit = await world.visitAs('administrator', { hand, path: '/c/categories/+' })
    const { page } = visit
    const name = `Lamps for the ${hand}`
    const [child, sku] = [`Desk lamps for the ${hand}`, `${hand}-m2m`]
    const known = dataOf(await world.service.get('/items/products?limit=2&sort=id&fields=id,sku')) as {
      id: number
      sku: string
    }[]
    const form = page.getByRole('main')
    await visit.hand.write(form.getByRole('textbox', { name: 'Name' }), name)
    await visit.hand.write(form.getByRole('textbox', { name: 'Slug' }), `lamps-${hand}`)

    await visit.hand.press(form.getByRole('button', { name: 'New in Categories' }))
    const below = page.getByRole('dialog', { name: 'New in Categories' })
    await visit.hand.write(below.getByRole('textbox', { name: 'Name' }), child)
    await visit.hand.write(below.getByRole('textbox', { name: 'Slug' }), `desk-lamps-${hand}`)
    await visit.hand.press(below.getByRole('button', { name: 'Add', exact: true }))
    await form.getByRole('group', { name: 'Categories' }).getByText(child).waitFor()

    const products = form.getByRole('group', { name: 'Products' })
    await visit.hand.press(products.getByRole('button', { name: 'Add existing to Products' }))
    const chooser = page.getByRole('dialog', { name: 'Add existing to Products' })
    for (const { id } of known)
      await visit.hand.press(chooser.getByRole('checkbox', { name: new RegExp(`\\(${id}\\)$`, 'u') }))
    await visit.hand.press(chooser.getByRole('button', { name: 'Add 2' }))
    for (const each of known) await products.getByText(each.sku).waitFor()
    await visit.hand.press(products.getByRole('button', { name: 'New in Products' }))
    const drawer = page.getByRole('dialog', { name: 'New in Products' })
    await visit.hand.write(drawer.getByRole('textbox', { name: 'SKU' }), sku)
    await visit.hand.write(drawer.getByRole('textbox', { name: 'Name' }), 'Paper Lamp')
    await visit.hand.write(drawer.getByRole('textbox', { name: 'Price' }), '19.90')
    await visit.hand.press(drawer.getByRole('button', { name: 'Add', exact: true }))
    await products.getByText(sku).waitFor()

    const writes: string[] = []
    page.on('request', (request) => {
      const method = request.method()
      if (['POST', 'PATCH', 'DELETE'].includes(method)) writes.push(`${method} ${new URL(request.url()).pathname}`)
    })
    await visit.hand.press(page.getByRole('button', { name: 'Create', exact: true }))
    const query = {
      filter: { name: { _eq: name } },
      fields: ['categories.name', 'products.sku'],
      deep: { products: { _sort: ['id'] } },
    }
    const stored = async () => dataOf(await world.service.search('categories', query))
    const skus = [...known.map((each) => each.sku), sku].map((each) => ({ sku: each }))
    await expect.poll(stored).toEqual([{ categories: [{ name: child }], products: skus }])
    expect(writes).toEqual(['POST /items/categories'])
  })
})
