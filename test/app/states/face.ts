// The look of a state: no violation of axe, and a picture where a folder for it is given.
import { expect } from 'vitest'
import { violationsOn } from '../axe.ts'
import type { OpenPage } from '../browser.ts'

const folder = process.env['APP_PICTURES']

/** Pictures show both themes; without them, one is looked at. */
const themes = folder === undefined ? (['light'] as const) : (['dark', 'light'] as const)

export async function lookAt({ page }: OpenPage, name: string): Promise<void> {
  for (const theme of themes) {
    await page.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(theme)}`)
    expect(await violationsOn(page), `${name}, ${theme}`).toEqual([])
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name.replaceAll(/\W+/gu, '-')}-${theme}.png` })
  }
}
