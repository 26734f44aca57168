import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { dataOf } from '../lib/service.ts'
import { handKinds } from './hand.ts'
import type { Kind } from './people.ts'
import { gridOf } from './sheet.ts'
import { useWorld, type Visit } from './world.ts'

const world = useWorld()

/** The collections that the navigation lists. */
const listed = (page: Page): Promise<readonly string[]> =>
  page
    .getByRole('navigation', { name: 'Collections' })
    .getByRole('link')
    .evaluateAll((links) =>
      links.map((link) => (link as unknown as { href: string }).href.replace(/^.*\/c\//u, '')).toSorted(),
    )

/** The collections that somebody finds in the app when they sign in themselves. */
async function ownList(kind: Kind): Promise<readonly string[]> {
  const start = dataOf(await world.service.get('/server/app', { token: world.people[kind].token })) as {
    collections: { collection: string; system?: boolean }[]
  }
  return start.collections.flatMap(({ collection, system }) => (system === true ? [] : [collection])).toSorted()
}

const pathOf = (page: Page): string => new URL(page.url()).pathname.replace('/admin', '')

const banner = (page: Page, kind: Kind) => page.getByText(`You see what ${world.people[kind].name} sees.`)

/** Starts from the page of the user. */
async function begin({ page, hand }: Visit, kind: Kind): Promise<void> {
  await world.open(page, `/users/${world.people[kind].id}`)
  await hand.press(page.getByRole('button', { name: 'View as' }))
  await banner(page, kind).waitFor()
}

describe.each(handKinds)('with the %s', (hand) => {
  test('an administrator sees the app as an editor does, and comes back to where it began', async () => {
    const visit = await world.visitAs('administrator', { hand })
    const { page, guard } = visit
    const { editor } = world.people
    await world.open(page, `/users/${editor.id}`)
    const asked: string[] = []
    await page.getByRole('button', { name: 'View as' }).waitFor()
    await guard.quiet()
    page.on('request', (request) => {
      if (request.resourceType() === 'fetch' && request.headers()['x-view-as'] !== editor.id) asked.push(request.url())
    })
    await visit.hand.press(page.getByRole('button', { name: 'View as' }))
    await banner(page, 'editor').waitFor()
    await guard.quiet()
    expect(asked).toEqual([])
    expect(await listed(page)).toEqual(await ownList('editor'))
    expect(await page.getByRole('link', { name: 'Access' }).count()).toBe(0)

    await visit.hand.press(
      page.getByRole('navigation', { name: 'Collections' }).getByRole('link', { name: /^Orders/u }),
    )
    await gridOf(page, 'Orders').waitFor()
    const create = page.getByRole('button', { name: 'New', exact: true })
    expect(await create.isDisabled()).toBe(true)
    expect(await create.getAttribute('title')).toContain(`You see what ${editor.name} sees`)

    await visit.hand.press(page.getByRole('button', { name: 'Stop', exact: true }))
    await page.getByRole('heading', { level: 1, name: editor.name }).waitFor()
    await banner(page, 'editor').waitFor({ state: 'detached' })
    await guard.quiet()
    expect(pathOf(page)).toBe(`/users/${editor.id}`)
    expect(guard.refusals()).toEqual([])
  })
})

test.each(['editor', 'viewer'] as const)('no page that the %s has is refused while it is viewed', async (kind) => {
  const visit = await world.visitAs('administrator')
  const { page, guard } = visit
  await begin(visit, kind)
  const side = page.getByRole('navigation', { name: 'Collections' })
  for (const name of await listed(page)) {
    await side.locator(`a[href$="/c/${name}"]`).click()
    await expect.poll(() => pathOf(page)).toBe(`/c/${name}`)
    await guard.quiet()
  }
  await side.locator('a[href$="/c/products"]').click()
  await page.getByRole('gridcell').first().waitFor()
  await page.getByRole('gridcell').nth(1).click()
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => pathOf(page)).toMatch(/^\/c\/products\/\d+$/u)
  await guard.quiet()
  expect(await page.getByRole('textbox', { name: 'Name' }).isEditable()).toBe(false)
  for (const [module, heading] of [
    ['Activity', 'Activity'],
    ['Settings', 'Profile'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Modules' }).getByRole('link', { name: module }).click()
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await guard.quiet()
  }
  expect(guard.refusals()).toEqual([])
})

test('an item with unsaved changes asks before it is left, and the list of its collection is shown', async () => {
  const { page } = await world.visitAs('administrator', { path: '/c/products/3' })
  await page.getByRole('textbox', { name: 'Name' }).fill('Lamp')
  await page.keyboard.press('Control+K')
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill('>view as')
  await page.getByRole('option', { name: 'View as a user…' }).click()
  await page.getByRole('combobox', { name: 'View as' }).fill('Nora')
  await page.getByRole('option', { name: 'Nora Vogel' }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.waitFor()
  expect(await banner(page, 'viewer').count()).toBe(0)
  await question.getByRole('button', { name: 'Discard and leave' }).click()
  await banner(page, 'viewer').waitFor()
  await gridOf(page, 'Products').waitFor()
  expect(pathOf(page)).toBe('/c/products')
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect.poll(() => pathOf(page)).toBe('/c/products/3')
})
