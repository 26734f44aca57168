import { hash } from 'node:crypto'

/**
 * A row version, equal for equal values. Most of the values are here already, because they are part of the response. In
 * the database, the hash would take as long as everything else about one row.
 */
export function hashOf(values: readonly (string | null)[]): string {
  let text = ''
  for (const value of values) text += value === null ? '-' : `${value.length}:${value}`
  return hash('sha256', text, 'hex').slice(0, 32)
}
