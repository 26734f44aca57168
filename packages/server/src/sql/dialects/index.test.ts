import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

const here = import.meta.dirname
const source = join(here, '../..')
const dialects = globSync('*/connect.ts', { cwd: here }).map((file) => file.split('/')[0] ?? '')

/** Files outside the folder that are no tests, one entry for each line that imports from it. */
const importers = (dialect: string): string[] =>
  globSync('**/*.ts', { cwd: source })
    .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('testing/'))
    .filter((file) => !file.startsWith(relative(source, join(here, dialect))))
    .flatMap((file) =>
      readFileSync(join(source, file), 'utf8')
        .split('\n')
        .filter((line) => line.includes(`/${dialect}/`) && /\bfrom '|\bimport\(/u.test(line))
        .map(() => file),
    )

test('three databases are spoken to', () => expect(dialects.toSorted()).toEqual(['mysql', 'postgres', 'sqlite']))

test.each(dialects)('%s is its own folder and one line of the table', (dialect) => {
  expect(importers(dialect)).toEqual([relative(source, join(here, 'index.ts'))])
})
