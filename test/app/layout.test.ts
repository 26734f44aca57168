import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { screens } from './screens.ts'
import { filterByChoice, gridOf } from './sheet.ts'
import { useWorld } from './world.ts'

const world = useWorld()

const widths = [390, 1024] as const

/** Elements that are wider than the page, or than the box that is open over it. */
const sidewaysIn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[document.documentElement, ...document.querySelectorAll('[role=dialog]')]
    .flatMap((box) => [box, box.parentElement].filter((each) => each !== null))
    .filter((box) => box.scrollWidth > box.clientWidth + 1)
    .map((box) => (box.getAttribute('aria-label') ?? box.localName) + ': ' + box.scrollWidth + ' in ' + box.clientWidth)`)

test.each(widths)(
  'no screen scrolls sideways at %d pixels',
  async (width) => {
    const { page, guard } = await world.visitAs('administrator')
    await page.setViewportSize({ width, height: 800 })
    const found: string[] = []
    for (const { path, heading } of screens) {
      await world.open(page, path)
      await page.getByRole('heading', { level: 1, name: heading }).first().waitFor()
      await guard.quiet()
      found.push(...(await sidewaysIn(page)).map((each) => `${path}, ${each}`))
    }
    expect(found).toEqual([])
  },
  180_000,
)

test('the boxes of a list hold what is in them', async () => {
  const visit = await world.visitAs('administrator', { path: '/c/orders' })
  const { page } = visit
  await gridOf(page, 'Orders').waitFor()
  await filterByChoice(visit, 'Status', 'shipped')
  const found: string[] = []
  for (const name of ['Filter', 'Sort', 'Fields'] as const) {
    await page
      .getByRole('button', { name, exact: name === 'Filter' })
      .first()
      .click()
    const box = page.getByRole('dialog')
    await box.getByRole('combobox').or(box.getByRole('textbox')).last().waitFor()
    found.push(...(await sidewaysIn(page)))
    await page.keyboard.press('Escape')
    await box.waitFor({ state: 'detached' })
  }
  expect(found).toEqual([])
})
