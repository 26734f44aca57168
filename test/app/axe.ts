// Checks a page against WCAG 2.2 A and AA and the best practices of axe.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface Violation {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** What depends on colours, and so on the theme. */
const coloured = ['color-contrast', 'link-in-text-block']

/** What axe finds, one line for each element. */
export const violationsOn = (page: Page): Promise<readonly string[]> => violationsOf(page, tags)

/** What another theme of the same page can add. */
export const colourViolationsOn = (page: Page): Promise<readonly string[]> => violationsOf(page, coloured)

async function violationsOf(page: Page, only: readonly string[]): Promise<readonly string[]> {
  await page.evaluate(source)
  const violations = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(only)}, resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )) as readonly Violation[]
  return violations.flatMap(({ id, help, nodes }) =>
    nodes
      .slice(0, 4)
      .map(({ html, failureSummary }) => `${id}: ${help}\n  ${html.slice(0, 200)}\n  ${failureSummary ?? ''}`),
  )
}
