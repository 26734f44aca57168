import { invalidQuery } from '@tain/contract'
import type { Authorized } from '../../access/authorized.ts'
import type { BoundQuery } from '../../query/bound.ts'
import type { Parameter } from '../../lib/parameter.ts'
import { typed } from '../../schema/typed-column.ts'
import type { Database } from '../../sql/database.ts'
import type { Beside } from '../beside.ts'
import type { CursorValues, SortPath } from '../cursor.ts'
import { KEYS_PARAMETER } from '../plan-read.ts'
import type { Position } from '../read.ts'
import { sampledTable, type KeySample, type KeySamples } from './key-samples.ts'
import {
  countStatement,
  isFiltered,
  OFFSET_PARAMETER,
  rowStatement,
  sampledRows,
  sampleStatement,
  VALUE_PARAMETER,
} from './seek-statements.ts'
import { placeOfShare } from './statistics-place.ts'

/** The row that a sought page begins with, by its sort values; null: it is the last page. */
export interface Start {
  readonly values: CursorValues | null
  readonly position: Position
  /** The rows of the list, counted or estimated. */
  readonly rows: number
}

export interface Seeking {
  readonly query: Authorized<BoundQuery>
  readonly share: number
  readonly beside: Beside
  readonly database: Pick<Database, 'dialect' | 'distribution'>
  readonly samples: KeySamples
}

/** Up to so many rows are counted, and an offset is at most so large. */
export const COUNTED = 10_000
/** With fewer sampled rows than this, the rows of a filter are counted. */
const ENOUGH = 30

/**
 * Finds the row at a share of the list without reading the list. Few rows are counted. Among many, a row is chosen by
 * the statistics of the database if the caller sees every row and the list has all of them, and otherwise from a sample
 * that contains only rows that the caller sees.
 */
export async function findStart(seeking: Seeking): Promise<Start> {
  const { query } = seeking
  if (query.sort.every(({ kind }) => kind !== 'path')) throw invalidQuery('"seek" needs a sort order')
  const counted = await countedRows(seeking)
  if (counted !== null && counted <= COUNTED) return startInCounted(counted, seeking)
  const start = (await startByStatistics(seeking)) ?? (await startInSample(seeking, counted === null))
  if (start !== null) return start
  throw invalidQuery(
    `"seek" finds no place among the rows of "${query.collection.name}": they are more than ${COUNTED}, and its key allows no sample of them; use "offset"`,
  )
}

/**
 * The rows of the list if they can be counted quickly; null: the table is large, and the list may be any part of it. How
 * many rows there are decides nothing for a caller who does not see all of them.
 */
async function countedRows(seeking: Seeking): Promise<number | null> {
  const { query } = seeking
  if (query.rowRule !== null || !isFiltered(query)) return countRows(query, seeking)
  return (await countRows(everyRow(query), seeking)) > COUNTED ? null : countRows(query, seeking)
}

const everyRow = (query: Authorized<BoundQuery>): Authorized<BoundQuery> => ({ ...query, filter: null, search: null })

async function countRows(query: Authorized<BoundQuery>, seeking: Seeking): Promise<number> {
  const rows = await seeking.beside.run(countStatement(query, COUNTED, seeking.database.dialect))
  return Number(rows[0]?.[0] ?? 0)
}

/** The last page is full: it begins before the share if there are too few rows behind it. */
async function startInCounted(rows: number, seeking: Seeking): Promise<Start> {
  const { query, share, database, beside } = seeking
  const last = Math.max(0, query.limit < 0 ? rows - 1 : rows - query.limit)
  const row = Math.min(Math.floor(share * rows), last)
  const found = await beside.run(rowStatement(query, null, database.dialect), new Map([[OFFSET_PARAMETER, row]]))
  return { values: found[0] ?? null, position: { share: rows === 0 ? 0 : row / rows, row }, rows }
}

/** The first column of the sort order, if its statistics say something about the list. */
function describedColumn({ collection, sort, rowRule }: BoundQuery): SortPath | null {
  const [first] = sort
  if (first?.kind !== 'path' || rowRule !== null || collection.kept !== null) return null
  const { steps, value } = first.path
  return steps.length === 0 && value.kind === 'column' && value.mask === null ? first : null
}

async function startByStatistics(seeking: Seeking): Promise<Start | null> {
  const { query, share, database, beside } = seeking
  const first = isFiltered(query) ? null : describedColumn(query)
  if (first === null || first.path.value.kind !== 'column') return null
  const stored = typed(first.path.value.field)
  const statistics = await database.distribution.statisticsOf(sampledTable(query.collection), stored, beside.run)
  const place = statistics && placeOfShare(statistics, share, first.descending)
  // A large offset is slow: many rows have the same value.
  if (place === null || place.offset > COUNTED) return null
  const values = new Map<Parameter, unknown>([
    [OFFSET_PARAMETER, place.offset],
    [VALUE_PARAMETER, place.text],
  ])
  const [row] = await beside.run(rowStatement(query, first, database.dialect), values)
  return row === undefined ? null : { values: row, position: { share, row: null }, rows: statistics?.rows ?? 0 }
}

/** A sample for a caller with row rules depends on nothing but the rows that the caller sees. */
async function sampleFor(seeking: Seeking): Promise<KeySample | null> {
  const { query, database, samples, beside } = seeking
  const { collection, rowRule } = query
  if (collection.key.length === 0) return null
  if (rowRule === null) return samples.ofAll(collection)
  const rows = sampledRows(query, database.dialect)
  const { text, values } = beside.statementOf(rows.where)
  const name = JSON.stringify([text, values.map(String)])
  return samples.within(collection, { ...rows, name }, beside.run)
}

async function startInSample(seeking: Seeking, mayCount: boolean): Promise<Start | null> {
  const { query, share, database, beside } = seeking
  const sample = await sampleFor(seeking)
  const rows =
    sample === null
      ? []
      : await beside.run(sampleStatement(query, database.dialect), new Map([[KEYS_PARAMETER, sample.keys]]))
  if (rows.length < ENOUGH && mayCount && isFiltered(query)) {
    const counted = await countRows(query, seeking)
    if (counted <= COUNTED) return startInCounted(counted, seeking)
  }
  const weights = rows.map(([position]) => sample?.weights[Number(position) - 1] ?? 0)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let before = 0
  const at = weights.findIndex((weight) => {
    if (before + weight > share * total) return true
    before += weight
    return false
  })
  if (rows.length === 0) return null
  const [, ...values] = rows[at] ?? []
  return { values: at === -1 ? null : values, position: { share: before / total, row: null }, rows: total }
}
