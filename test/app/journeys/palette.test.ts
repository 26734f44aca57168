import { describe, expect, test } from 'vitest'
import { handKinds } from '../hand.ts'
import { gridOf } from '../sheet.ts'
import { useWorld, type Visit } from '../world.ts'

const world = useWorld()

/** Opens the palette, types, and takes the first result of the name. */
async function jump({ page, hand }: Visit, typed: string, result: string): Promise<void> {
  if (hand.kind === 'mouse') await hand.press(page.getByRole('button', { name: 'Search or jump to' }))
  else await hand.key('Control+K')
  const palette = page.getByRole('dialog', { name: 'Search or jump to' })
  await hand.write(palette.getByRole('combobox'), typed)
  await hand.press(palette.getByRole('option', { name: result }).first())
}

describe.each(handKinds)('with the %s', (hand) => {
  test('everything is reached from the palette', async () => {
    const visit = await world.visitAs('administrator', { hand, path: '/c/orders' })
    const { page } = visit
    await gridOf(page, 'Orders').waitFor()

    await jump(visit, 'produ', 'Products')
    await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor()
    await jump(visit, '#7', '7')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/admin/c/products/7')
    await jump(visit, 'pol', 'Policies')
    await page.getByRole('heading', { level: 1, name: 'Policies' }).waitFor()
    await jump(visit, '>dark', 'Dark theme')
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark')
    await jump(visit, 'customers', 'Customers')
    await gridOf(page, 'Customers').waitFor()
    await jump(visit, '>new', 'New item in Customers')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/admin/c/customers/+')
    await jump(visit, 'customers', 'Customers')
    await gridOf(page, 'Customers').waitFor()

    await jump(visit, '>view as', 'View as a user…')
    const asked = page.getByRole('combobox', { name: 'View as' })
    await visit.hand.write(asked, 'Nora')
    await visit.hand.press(page.getByRole('option', { name: 'Nora Vogel' }))
    await page.getByText('You see what Nora Vogel sees.').waitFor()
    await jump(visit, '>stop', 'Stop viewing as somebody else')
    await page.getByText('You see what Nora Vogel sees.').waitFor({ state: 'detached' })

    await jump(visit, '>sign out', 'Sign out')
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  })
})
