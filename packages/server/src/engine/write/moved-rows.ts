import type { ChangedRow } from '../../changes/change.ts'
import { parseExactJson } from '../../lib/exact-json.ts'
import type { Collection, ColumnField } from '../../schema/schema.ts'
import type { Transaction } from '../../sql/driver.ts'
import { column, list, sql } from '../../sql/sql.ts'
import { tableOf } from '../columns.ts'
import { encodeKey } from './encode.ts'
import { lockRows } from './lock-rows.ts'
import { statementKey, type WriteStatements } from './statements.ts'

interface Moving {
  readonly statements: WriteStatements
  readonly transaction: Transaction
}

/** How many rows are read at once. */
const AT_ONCE = 1000

/** The places of all rows of an order, by key. */
async function placesIn(collection: Collection, field: ColumnField, { statements, transaction }: Moving) {
  const { key } = collection
  const rows = await statements.run(
    `read places ${statementKey(collection, [...key, field])}`,
    () => {
      const columns = [...key, field].map(({ name }) => column('t', name))
      return sql`select ${list(columns)} from ${tableOf(collection)} as t`
    },
    [],
    transaction,
  )
  return new Map(rows.map((row) => [JSON.stringify(row.slice(0, key.length)), row[key.length] ?? null]))
}

/** Moves rows within an order, and tells which of them have another place afterwards. */
export async function movedRows(
  collection: Collection,
  field: ColumnField,
  move: () => Promise<unknown>,
  moving: Moving,
): Promise<readonly ChangedRow[]> {
  const before = await placesIn(collection, field, moving)
  await move()
  const after = await placesIn(collection, field, moving)
  const moved = [...after].flatMap(([key, place]) => (before.get(key) === place ? [] : [key]))
  const changes: ChangedRow[] = []
  for (let at = 0; at < moved.length; at += AT_ONCE) {
    const keys = moved.slice(at, at + AT_ONCE).map((key) => JSON.parse(key) as string[])
    const cells = keys.map((key) =>
      collection.key.map((part, index) => encodeKey(part, key[index] ?? '', moving.statements.dialect)),
    )
    for (const [position, ...values] of await lockRows(collection, [], cells, 'change', moving, true)) {
      const key = keys[Number(position) - 1] ?? []
      const row = values[0] ?? null
      const place = before.get(JSON.stringify(key)) ?? null
      changes.push({
        action: 'update',
        collection,
        key,
        before: row === null ? null : withPlace(row, field.name, place),
        after: row,
        delta: null,
        isUnrecorded: true,
      })
    }
  }
  return changes
}

/** Large integers and decimals are texts in rows, other numbers are not. */
function withPlace(row: string, name: string, place: string | null): string {
  const values = parseExactJson(row) as Record<string, unknown>
  const shown = place === null || typeof values[name] === 'string' ? place : Number(place)
  return JSON.stringify({ ...values, [name]: shown })
}
