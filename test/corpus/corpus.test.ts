import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'
import { checks, type CheckName } from './checks/index.ts'
import { crawl } from './crawl.ts'
import { corpus } from './databases.ts'
import { judge } from './known.ts'
import { textOf } from './report.ts'
import { crawlTwice } from './twice.ts'

const SEED = 7
/** Fewer rows and fewer altered tables than in the full run. */
const small = { rows: 20, structures: 3 }
const own = corpus
  .filter(({ isOwn, dialect }) => isOwn && testDialects.includes(dialect))
  .map((each) => ({ ...each, extent: { ...each.extent, ...small } }))

const names = Object.keys(checks) as CheckName[]
const SECONDS = 300

describe.each(own)('$name', (each) => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await createDatabase(each.dialect)
    await each.load(database)
  }, SECONDS * 1000)

  afterAll(() => database.drop())

  test(
    'everything that is served is what plain SQL says',
    async () => {
      const done = await crawl(each, database, { checks: names, seed: SEED })
      const { unknown, stale } = judge([done])
      expect(unknown.map(textOf)).toEqual([])
      expect(stale).toEqual([])
      // A crawl that compares nothing would pass every check.
      for (const { comparisons } of done.tallies) expect(comparisons).toBeGreaterThan(0)
    },
    SECONDS * 1000,
  )

  test(
    'no answer changes when a junction, a table and a schema appear',
    async () => {
      const { differences, tallies } = await crawlTwice(each, database, SEED)
      expect(differences.map(textOf)).toEqual([])
      expect(tallies[0]?.comparisons).toBeGreaterThan(100)
    },
    SECONDS * 1000,
  )
})
