import { expect, test } from 'vitest'
import { cellAt } from './sheet.ts'
import { useWorld } from './world.ts'

const world = useWorld()

test('lists open with the row height that was chosen, until their view says otherwise', async () => {
  const { page } = await world.visitAs('administrator', { path: '/settings/appearance' })
  const group = page.getByRole('group', { name: 'Rows of lists' })
  await group.getByText('Compact').click()
  const heightIn = async (path: string) => {
    await world.open(page, path)
    return (await (await cellAt(page, 1, 'Name')).boundingBox())?.height
  }
  expect(await heightIn('/c/products')).toBe(28)
  expect(await heightIn('/c/products?rows=roomy')).toBe(46)
  await world.open(page, '/settings/appearance')
  expect(await group.getByRole('radio', { name: 'Compact' }).isChecked()).toBe(true)
})
