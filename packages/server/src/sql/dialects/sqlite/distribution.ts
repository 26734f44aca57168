import { constant } from '../../bind.ts'
import type { TypedColumn } from '../../dialect.ts'
import type { Ask, Distribution, SampledTable } from '../../distribution.ts'
import { column, sql } from '../../sql.ts'
import { commonPrefix, integerPlaces, textPlaces } from '../base/key-places.ts'
import { probedKeys, probesBy, type ProbedBy, type ProbedColumn } from '../base/key-probes.ts'
import { sqlite } from './index.ts'

/** Names of a row's number, as long as no column has them. */
const rowNumbers = ['rowid', '_rowid_', 'oid']

const byNumber =
  (name: string): ProbedBy =>
  (_, alias) => {
    const value = column(alias, name)
    return [
      { value, text: value, operand: (text) => sql`cast(${text} as integer)`, placesFrom: () => integerPlaces(64n) },
    ]
  }

/** Columns store values of any class, and sort by it. */
const isNumber = (text: string) => /^-?\d+$/u.test(text)

function placesOf({ type }: TypedColumn): ProbedColumn['placesFrom'] | null {
  switch (type) {
    case 'integer':
    case 'bigInteger':
      return (first, last) => (isNumber(first) && isNumber(last) ? integerPlaces(64n) : null)
    case 'string':
    case 'text':
    case 'uuid':
      return (first, last) => textPlaces(commonPrefix(first, last), true)
    default:
      return null
  }
}

/** A table has row numbers, or is sorted by its key. */
async function probesIn({ table, columns }: SampledTable, ask: Ask) {
  const [found] = await ask(
    sql`select type, wr from pragma_table_list where schema = 'main' and name = ${constant(table)} collate nocase`,
  )
  if (found?.[0] !== 'table') return null
  const name = rowNumbers.find((entry) => !columns.some((own) => own.toLowerCase() === entry))
  return found[1] === '1' || name === undefined ? byKey : probesBy(byNumber(name))
}

const byKey = probesBy(probedKeys(sqlite, placesOf))

/** The database has no statistics of values that all builds can read. */
export const distribution: Distribution = {
  statisticsOf: async () => null,
  sampleOf: async (table, ask) => {
    const probes = table.key.length === 0 ? null : await probesIn(table, ask)
    return probes === null ? null : probes.sampleOf(table, ask)
  },
  // The numbers of rows depend on the rows that were written in between.
  sampleWithin: byKey.sampleWithin,
}
