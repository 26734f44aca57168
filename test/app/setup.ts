// What all files of a project share: one build of the app, and one browser.
import { shareBrowser } from './browser.ts'
import { buildApp } from './built-app.ts'

/** Vitest calls it once per project, one project after another: the first of them builds. */
export async function setup(): Promise<() => Promise<void>> {
  await buildApp()
  const browser = await shareBrowser()
  return () => browser.close()
}
