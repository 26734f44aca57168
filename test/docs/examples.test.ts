import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { isAsWritten } from './as-written.ts'
import { examplesOf } from './examples.ts'
import { readPages, root } from './pages.ts'
import { runPage } from './run-page.ts'

const pages = readPages().filter((page) => !isAsWritten(page) && examplesOf(page).length > 0)
const isUpdate = process.env['UPDATE_DOCS'] !== undefined
const only = process.env['DOCS_PAGE']

const chosen = pages.filter(({ path }) => only === undefined || path.includes(only))
const dialects = isUpdate ? (['sqlite'] as const) : testDialects.filter((dialect) => dialect !== 'mysql')

/** A page waits for its service more than it computes, so several run at a time. */
const TIMEOUT = 240_000

/** UPDATE_DOCS=1 writes the responses of SQLite into the pages; DOCS_PAGE=query runs the pages with this in their name. */
describe.each(dialects)('the examples of the documentation on %s', (dialect) => {
  test.concurrent.each(chosen)(
    '$path',
    async (page) => {
      const { failures, text } = await runPage(page, dialect)
      if (isUpdate) writeFileSync(join(root, page.path), text)
      expect(isUpdate ? '' : failures.join('\n')).toBe('')
    },
    TIMEOUT,
  )
})
