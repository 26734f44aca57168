import type { Schema } from '../model/schema.ts'
import type { Stored } from '../model/settle.ts'
import { type State, valueOf } from '../model/state.ts'

type Cells = readonly (string | null)[]

/** Values that the database generated: neither present at the start nor sent. */
function madeIn({ tables }: Schema, stored: Stored, start: State, sent: string): ReadonlySet<string> {
  const made = new Set<string>()
  for (const { name, columns } of tables.values()) {
    for (const [at, column] of columns.entries()) {
      if (column.fill !== 'uuid') continue
      const old = new Set((start.get(name) ?? []).map((row) => valueOf(row, column.name)))
      for (const row of stored.get(name) ?? []) {
        const value = row[at]
        if (typeof value === 'string' && !old.has(value) && !sent.includes(value)) made.add(value)
      }
    }
  }
  return made
}

/**
 * Normalises the rows, so that results that differ only in generated values are equal. Each generated value is named
 * after the rows that contain it, and those rows after the other values in them.
 */
export function withoutMadeValues(schema: Schema, stored: Stored, start: State, body: unknown): string {
  const made = madeIn(schema, stored, start, JSON.stringify(body ?? null))
  const rows = [...stored].flatMap(([table, list]) => list.map((cells) => ({ table, cells })))
  let names = new Map([...made].map((value) => [value, 'made']))
  const shown = (cells: Cells, own: string | null) =>
    cells.map((cell) => (cell === null || !made.has(cell) ? cell : [cell === own ? 'itself' : names.get(cell)]))
  const named = () =>
    new Map(
      [...made].map((value) => {
        const places = rows.filter(({ cells }) => cells.includes(value))
        return [value, JSON.stringify(places.map(({ table, cells }) => [table, shown(cells, value)]).toSorted(byText))]
      }),
    )
  // Each pass makes the names more specific, until they are stable. Long names are replaced by numbers.
  for (let turn = 0; turn < made.size; turn += 1) names = counted(named())
  return JSON.stringify(rows.map(({ table, cells }) => [table, shown(cells, null)]).toSorted(byText))
}

const byText = (a: unknown, b: unknown): number => {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)]
  return left < right ? -1 : Number(left > right)
}

function counted(names: ReadonlyMap<string, string>): Map<string, string> {
  const ranks = [...new Set(names.values())].toSorted()
  return new Map([...names].map(([value, name]) => [value, `made ${ranks.indexOf(name)}`]))
}
