import { expect, test } from 'vitest'
import { crashSchemaChanges, withStructures, type Choose } from './schema-failpoints.ts'

/** The first hit of each failpoint; npm run verify ddl-failpoints covers every hit. */
const firstOfEach: Choose = (hits, reached) => {
  const seen = new Set(reached)
  return hits.filter(({ name }) => {
    const isNew = !seen.has(name)
    seen.add(name)
    return isNew
  })
}

/** Every second one of these: a change takes many more steps on MariaDB, because each is a transaction. */
function everySecond(): Choose {
  let turn = 0
  return (hits, reached) => firstOfEach(hits, reached).filter(() => (turn += 1) % 2 === 0)
}

test.each(['postgres', 'mysql'] as const)(
  'on %s a crash at any step of a change of the structure is whole or nothing after the next start',
  async (dialect) => {
    await withStructures(async (copies) => {
      expect(
        await crashSchemaChanges(copies, dialect === 'mysql' ? everySecond() : firstOfEach, dialect),
      ).toMatchObject({ missed: [], wrong: [] })
    }, dialect)
  },
  600_000,
)
