import { expect, test } from 'vitest'
import { dataOf } from '../lib/service.ts'
import { colourViolationsOn, violationsOn } from './axe.ts'
import { openScreens, screens } from './screens.ts'
import { useWorld, type Visit } from './world.ts'

const world = useWorld()

const themes = ['light', 'dark'] as const

/** Opens a screen and waits for its rows and lists. */
async function arrive({ page, guard }: Visit, path: string, heading: string | RegExp): Promise<void> {
  await world.open(page, path)
  await page.getByRole('heading', { level: 1, name: heading }).first().waitFor()
  await guard.quiet()
}

/** What axe finds on a page in each theme. The page follows the system, as it does for people who chose no theme. */
async function violationsIn({ page }: Visit, place: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme })
    await page.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(theme)}`)
    const look = theme === 'light' ? violationsOn : colourViolationsOn
    found.push(...(await look(page)).map((each) => `${place}, ${theme}: ${each}`))
  }
  return found
}

test('screens before signing in have no violation in either theme', async () => {
  const visit = await world.visit()
  const found: string[] = []
  for (const { path, heading } of openScreens) {
    await arrive(visit, path, heading)
    found.push(...(await violationsIn(visit, path)))
  }
  expect(found).toEqual([])
})

test('screens of an administrator have no violation in either theme', async () => {
  const visit = await world.visitAs('administrator')
  const found: string[] = []
  for (const { path, heading } of screens) {
    await arrive(visit, path, heading)
    found.push(...(await violationsIn(visit, path)))
  }
  expect(found).toEqual([])
}, 240_000)

test('a policy, a user and the gallery of components have no violation in either theme', async () => {
  const [policy] = dataOf(await world.service.get('/policies?filter[name][_eq]=Sales&fields=id')) as { id: string }[]
  const visit = await world.enterAs('administrator', '/')
  const found: string[] = []
  const places = [
    [`/access/policies/${policy?.id}`, 'Sales'],
    [`/users/${world.people.editor.id}`, world.people.editor.name],
    ['/dev/gallery', 'Components'],
  ] as const
  for (const [path, heading] of places) {
    await arrive(visit, path, heading)
    found.push(...(await violationsIn(visit, path)))
  }
  expect(found).toEqual([])
}, 120_000)

test('what opens over a list has no violation in either theme', async () => {
  const visit = await world.visitAs('administrator', { path: '/c/orders' })
  const { page, guard } = visit
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
  const found: string[] = []
  const box = page.locator('[role=dialog], [role=menu]').first()
  for (const name of ['Filter', 'Sort', 'Fields', 'API request', 'Export', 'Row height', 'Save as a new view']) {
    await page.getByRole('button', { name }).first().click()
    await box.waitFor()
    await guard.quiet()
    found.push(...(await violationsIn(visit, name)))
    await page.keyboard.press('Escape')
    await box.waitFor({ state: 'detached' })
  }
  await page.keyboard.press('Control+K')
  await page.getByRole('dialog', { name: 'Search or jump to' }).waitFor()
  found.push(...(await violationsIn(visit, 'the palette')))
  expect(found).toEqual([])
}, 120_000)

test('what opens over an item has no violation in either theme', async () => {
  const visit = await world.enterAs('administrator', '/c/customers/3')
  const { page, guard } = visit
  const found: string[] = []
  const box = page.locator('[role=dialog], [role=alertdialog]').last()
  const look = async (name: string) => {
    await box.waitFor()
    await guard.quiet()
    found.push(...(await violationsIn(visit, name)))
    await page.keyboard.press('Escape')
    await box.waitFor({ state: 'detached' })
  }
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await look('the question before a deletion')
  await page.getByRole('button', { name: 'Add existing' }).first().click()
  await look('the choice of rows')
  await page.getByRole('button', { name: /^New/u }).first().click()
  await look('a nested row')
  expect(found).toEqual([])
}, 120_000)
