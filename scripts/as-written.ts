// npm run docs:as-written: runs the quickstart and the tutorials as they are written, on PostgreSQL and on the demo file.
// --update writes the real output into the pages; --page <part of a name> runs one page.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { top } from './package/build.ts'
import { verifyAsWritten } from './package/as-written.ts'

const { values } = parseArgs({ options: { update: { type: 'boolean' }, page: { type: 'string' } } })

/** The program of this checkout in place of an installed package. */
function linkProgram(folder: string): void {
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(join(top, 'packages/server/bin/tain.js'), join(folder, 'node_modules/.bin/tain'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
}

const work = mkdtempSync(join(tmpdir(), 'tain-as-written-'))
try {
  linkProgram(work)
  const failures = await verifyAsWritten(work, { isUpdate: values.update === true, name: values.page ?? '' })
  for (const failure of failures) console.error(failure)
  if (failures.length > 0) process.exitCode = 1
} finally {
  rmSync(work, { recursive: true, force: true })
}
