import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDatabase } from '../../test/lib/databases.ts'
import { isAsWritten, logOf, runAsWritten, type Place } from '../../test/docs/as-written.ts'
import { readPages, root, type Page } from '../../test/docs/pages.ts'

interface Choice {
  /** Writes the output into the pages. */
  readonly isUpdate?: boolean
  /** A part of the pages' names. */
  readonly name?: string
}

/**
 * Runs the pages that are marked for it, each in an empty folder below one where `npx tain` is the program. Returns what
 * differs from the pages.
 */
export async function verifyAsWritten(
  installed: string,
  { isUpdate = false, name = '' }: Choice = {},
): Promise<readonly string[]> {
  const failures: string[] = []
  for (const page of readPages().filter((each) => isAsWritten(each) && each.path.includes(name))) {
    const results = isUpdate
      ? [await runOn('sqlite', page, installed)]
      : await Promise.all([runOn('sqlite', page, installed), runOn('postgres', page, installed)])
    if (isUpdate) writeFileSync(join(root, page.path), results[0]?.text ?? '')
    failures.push(...results.flatMap((result) => result.failures))
    console.log(`${page.path}: run as written on ${isUpdate ? 'SQLite' : 'SQLite and PostgreSQL'}`)
  }
  return failures
}

async function runOn(dialect: Place['dialect'], page: Page, installed: string) {
  // A service that still ends can bring the folder of the page before back.
  const folder = mkdtempSync(join(installed, `run-${dialect}-`))
  const database = dialect === 'postgres' ? await createDatabase('postgres') : null
  const place = { folder, dialect, databaseUrl: database?.url ?? 'sqlite:shop.db' }
  try {
    const result = await runAsWritten(page, place)
    if (result.failures.length > 0) console.error(logOf(place))
    return result
  } finally {
    await database?.drop()
    rmSync(folder, { recursive: true, force: true })
  }
}
