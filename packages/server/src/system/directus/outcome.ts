import { ServiceError } from '@tain/contract'
import type { Finding } from './findings.ts'
import type { TextRow } from './values.ts'

/** A row to write, or none; and what is to be said about it. */
export interface Outcome<T> {
  readonly row: T | null
  readonly findings: readonly Finding[]
}

export interface Mapped<T> {
  readonly rows: readonly T[]
  readonly findings: readonly Finding[]
}

/** Maps every row. A row with a value that the service refuses is reported under `whatOf`. */
export function mapRows<T>(
  rows: readonly TextRow[],
  whatOf: (row: TextRow) => string,
  map: (row: TextRow) => Outcome<T>,
  kind: Finding['kind'] = 'row',
): Mapped<T> {
  const outcomes = rows.map((row): Outcome<T> => {
    try {
      return map(row)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return { row: null, findings: [{ kind, what: whatOf(row), why: error.message }] }
    }
  })
  return {
    rows: outcomes.flatMap(({ row }) => row ?? []),
    findings: outcomes.flatMap(({ findings }) => findings),
  }
}

/** Names a row by the values of some of its columns. */
export const named =
  (...columns: readonly string[]) =>
  (row: TextRow): string =>
    columns.map((column) => row[column] ?? '').join('.')
