import { describe, expect, test } from 'vitest'
import { connect } from '../../lib/databases.ts'
import { dataOf } from '../../lib/service.ts'
import { handKinds } from '../hand.ts'
import { useWorld } from '../world.ts'

const SUPPLIERS = 50_000
const digits = Array.from({ length: 10 }, (_, digit) => `select ${digit} as d`).join(' union all ')
const digit = (name: string) => `(${digits}) ${name}`

const world = useWorld({
  async prepare({ url, dialect }) {
    const { query, close } = await connect(url)
    const number = '10000 * e.d + 1000 * a.d + 100 * b.d + 10 * c.d + f.d'
    const name = dialect === 'mysql' ? `concat('Maker ', ${number})` : `'Maker ' || (${number})`
    await query(`insert into suppliers (name, city, country) select ${name}, 'Lyon', 'FR'
      from ${['a', 'b', 'c', 'e', 'f'].map(digit).join(' cross join ')} where e.d < ${SUPPLIERS / 10_000}`)
    await close()
  },
})

describe.each(handKinds)('with the %s', (hand) => {
  const key = hand === 'mouse' ? 3 : 4

  test('a related row is found among 50,000 by typing, and saved', async () => {
    const visit = await world.visitAs('administrator', { hand, path: `/c/products/${key}` })
    const { page } = visit
    const found = hand === 'mouse' ? 'Maker 43217' : 'Maker 31999'
    await visit.hand.press(page.getByRole('button', { name: /^Supplier:/u }))
    const search = page.getByRole('combobox', { name: 'Search Suppliers' })
    await visit.hand.write(search, found)
    await visit.hand.press(page.getByRole('option', { name: found }))
    await page.getByRole('button', { name: new RegExp(`^Supplier: ${found}`, 'u') }).waitFor()
    await visit.hand.press(page.getByRole('button', { name: 'Save 1 change' }))
    const stored = async () => dataOf(await world.service.get(`/items/products/${key}?fields=supplier.name`))
    await expect.poll(stored).toEqual({ supplier: { name: found } })
  })

  test('words that match nothing are said to match nothing', async () => {
    const visit = await world.visitAs('administrator', { hand, path: `/c/products/${key}` })
    const { page } = visit
    await visit.hand.press(page.getByRole('button', { name: /^Supplier:/u }))
    await visit.hand.write(page.getByRole('combobox', { name: 'Search Suppliers' }), 'nobody of that name')
    await expect.poll(() => page.getByText('Nothing matches “nobody of that name”.').isVisible()).toBe(true)
  })
})
