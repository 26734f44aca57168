// The grid of a collection, found by what is read aloud.
import type { Locator, Page } from 'playwright-core'
import type { Visitor } from './shop.ts'

export const gridOf = (page: Page, name: string): Locator => page.getByRole('grid', { name, exact: true })

export const headerOf = (page: Page, column: string): Locator =>
  page.getByRole('columnheader', { name: column, exact: true })

const rowOf = (page: Page, row: number): Locator => page.locator(`[role=row][aria-rowindex="${row + 1}"]`)

/** A cell by the number of its row, from 1, and the name of its column. */
export async function cellAt(page: Page, row: number, column: string): Promise<Locator> {
  const place = await headerOf(page, column).getAttribute('aria-colindex')
  const cell = rowOf(page, row).locator(`[role=gridcell][aria-colindex="${place}"]`)
  await cell.waitFor()
  return cell
}

/** The texts of a column in the rows that are drawn, without those that are still loading. */
export async function textsOf(page: Page, column: string): Promise<readonly string[]> {
  const place = await headerOf(page, column).getAttribute('aria-colindex')
  return (await page.locator(`[role=gridcell][aria-colindex="${place}"]`).allTextContents()).filter(
    (text) => text !== '',
  )
}

/** Selects a whole row. */
export async function checkRow({ page, hand }: Visitor, row: number, column: string): Promise<void> {
  if (hand.kind === 'mouse') {
    await rowOf(page, row).hover()
    await page.getByRole('checkbox', { name: `Select row ${row}`, exact: true }).click()
  } else {
    await hand.reach(await cellAt(page, row, column))
    await hand.key('Shift+Space')
  }
}

/** Begins to edit a cell. */
export async function editCell({ hand }: Visitor, cell: Locator): Promise<void> {
  if (hand.kind === 'mouse') return cell.dblclick()
  await hand.reach(cell)
  await hand.key('Enter')
}

/** Adds a condition that a field of choices has a value. */
export async function filterByChoice({ page, hand }: Visitor, field: string, value: string): Promise<void> {
  await hand.press(page.getByRole('button', { name: 'Filter', exact: true }))
  const dialog = page.getByRole('dialog', { name: 'Filter' })
  await hand.write(dialog.getByRole('combobox', { name: 'Field' }), field)
  await hand.press(page.getByRole('option', { name: field }).first())
  await hand.select(dialog.getByRole('combobox', { name: 'Value', exact: true }), value)
  await hand.press(dialog.getByRole('button', { name: 'Done' }))
  await dialog.waitFor({ state: 'detached' })
}
