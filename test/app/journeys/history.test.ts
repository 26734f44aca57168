import { describe, expect, test } from 'vitest'
import { dataOf } from '../../lib/service.ts'
import { handKinds } from '../hand.ts'
import { useWorld } from '../world.ts'

const world = useWorld()

describe.each(handKinds)('with the %s', (hand) => {
  const key = hand === 'mouse' ? 21 : 22
  const path = `/items/customers/${key}`

  test('changes are listed, compared and restored, and a comment is written', async () => {
    for (const first_name of ['Ines', 'Inés', 'Inez']) dataOf(await world.service.send('PATCH', path, { first_name }))
    const visit = await world.visitAs('administrator', { hand, path: `/c/customers/${key}` })
    const { page } = visit
    const panel = page.getByRole('complementary', { name: 'About this item' })
    const entries = panel.getByRole('tabpanel', { name: 'History' }).getByRole('listitem')
    await expect.poll(() => entries.count()).toBe(3)
    expect(await entries.first().textContent()).toContain('Inez')

    await visit.hand.press(entries.last().getByRole('button', { name: /^Compare the version/u }))
    const dialog = page.getByRole('dialog', { name: /^Version of/u })
    const cells = dialog.getByRole('row', { name: /First name/u }).getByRole('cell')
    await expect.poll(() => cells.allTextContents()).toEqual(['Ines', 'Inez'])
    await visit.hand.press(dialog.getByRole('button', { name: 'Restore 1 field' }))
    await dialog.waitFor({ state: 'detached' })
    await expect
      .poll(async () => dataOf(await world.service.get(`${path}?fields=first_name`)))
      .toEqual({
        first_name: 'Ines',
      })
    await expect.poll(() => page.getByRole('textbox', { name: 'First name' }).inputValue()).toBe('Ines')

    await visit.hand.press(panel.getByRole('tab', { name: 'Comments' }))
    const words = `Spelling checked by ${hand}`
    await visit.hand.write(panel.getByRole('textbox', { name: 'Write a comment' }), words)
    await visit.hand.press(panel.getByRole('button', { name: 'Comment', exact: true }))
    await panel.getByRole('listitem').filter({ hasText: words }).filter({ hasText: 'Ada Keller' }).waitFor()
  })
})
