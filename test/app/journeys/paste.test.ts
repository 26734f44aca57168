import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { dataOf } from '../../lib/service.ts'
import { handKinds } from '../hand.ts'
import { cellAt, gridOf } from '../sheet.ts'
import { useWorld } from '../world.ts'

const world = useWorld()
const ROWS = 50
const BAD = 7

interface Product {
  readonly name: string
  readonly description: string
  readonly price: string
  readonly stock: number
}

describe.each(handKinds)('with the %s', (hand) => {
  const stored = async () =>
    dataOf(
      await world.service.get(`/items/products?sort=-id&limit=${ROWS}&fields=name,description,price,stock`),
    ) as Product[]

  const copyCells = (page: Page, text: string) =>
    page.evaluate(
      (given) =>
        (
          globalThis.navigator as unknown as { clipboard: { writeText: (given: string) => Promise<void> } }
        ).clipboard.writeText(given),
      text,
    )

  test('50 rows of 4 cells are pasted after a look, without the row that does not fit, and undone', async () => {
    const visit = await world.visitAs('administrator', { hand, path: '/c/products' })
    const { page } = visit
    await gridOf(page, 'Products').waitFor()
    const before = await stored()
    const lines = Array.from({ length: ROWS }, (_, row) =>
      [`${hand} ${row}`, `Line ${row}`, row === BAD ? 'a lot' : `${row}.25`, String(row)].join('\t'),
    )
    await copyCells(page, lines.join('\n'))
    await visit.hand.reach(await cellAt(page, 1, 'Name'))
    await visit.hand.key('Control+V')

    const dialog = page.getByRole('dialog', { name: `Paste ${ROWS} rows` })
    await dialog.getByText('1 row cannot be pasted').waitFor()
    await dialog.getByText('49 rows will change').waitFor()
    expect(await stored()).toEqual(before)
    await visit.hand.press(dialog.getByRole('button', { name: 'Paste 49 rows that fit' }))
    await page.getByText('Pasted 49 rows.').waitFor()
    const after = await stored()
    expect(after[BAD]).toEqual(before[BAD])
    expect(after.filter(({ name }) => name.startsWith(hand))).toHaveLength(ROWS - 1)
    expect(after[0]).toEqual({ name: `${hand} 0`, description: 'Line 0', price: '0.25', stock: 0 })

    await visit.hand.press(page.getByRole('button', { name: 'Undo' }))
    await expect.poll(stored).toEqual(before)
  })
})
