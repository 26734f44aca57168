import { describe, expect, test } from 'vitest'
import { dataOf } from '../../lib/service.ts'
import { handKinds } from '../hand.ts'
import { useWorld } from '../world.ts'

const world = useWorld()

describe.each(handKinds)('with the %s', (hand) => {
  const key = hand === 'mouse' ? 11 : 12
  const stored = async () =>
    dataOf(await world.service.get(`/items/customers/${key}?fields=first_name,last_name,newsletter`))

  test('a row that was changed in the database meanwhile is merged field by field', async () => {
    const visit = await world.visitAs('editor', { hand, path: `/c/customers/${key}` })
    const { page, guard } = visit
    guard.allow(412)
    const first = page.getByRole('textbox', { name: 'First name' })
    await first.waitFor()
    await world.database.query(`update customers set first_name = 'Theirs', last_name = 'Outside' where id = ${key}`)

    await visit.hand.write(first, 'Mine')
    await visit.hand.key('Control+S')
    const dialog = page.getByRole('dialog', { name: 'Somebody else changed this item' })
    await dialog.getByText('Taken over without a question: Last name.').waitFor()
    const row = dialog.getByRole('row', { name: /First name/u })
    expect(await row.getByRole('cell').allTextContents()).toEqual([expect.any(String), 'Theirs', 'Mine'])
    await visit.hand.press(dialog.getByRole('radio', { name: 'First name: mine' }))
    await visit.hand.press(dialog.getByRole('button', { name: 'Save the chosen values' }))
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(stored).toMatchObject({ first_name: 'Mine', last_name: 'Outside' })
    await expect.poll(() => page.getByRole('textbox', { name: 'Last name' }).inputValue()).toBe('Outside')
  })
})
