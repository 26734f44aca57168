import { list, sql } from '../sql.ts'
import type { ServiceDialect } from './service-dialect.ts'

const names = (columns: readonly string[]) => list(columns.map((name) => sql.id(name)))

/** For databases with ON CONFLICT and RETURNING. */
export const returning: Pick<ServiceDialect, 'upsert' | 'insertNew' | 'updateIf' | 'updateAll' | 'same'> = {
  same: (left, right) => sql`(${left} is not distinct from ${right})`,
  upsert: (insert, keys, columns) => {
    const assignments = columns.map((name) => sql`${sql.id(name)} = excluded.${sql.id(name)}`)
    const action = columns.length === 0 ? sql`nothing` : sql`update set ${list(assignments)}`
    return sql`${insert} on conflict (${names(keys)}) do ${action}`
  },
  insertNew: (insert, unique, result) => sql`${insert} on conflict (${names(unique)}) do nothing returning ${result}`,
  updateIf: (update, { key }, condition, result) =>
    sql`${update.where(key).where(sql<boolean>`${condition}`)} returning ${result}`,
  updateAll: (update, _, result) => sql`${update} returning ${result}`,
}
