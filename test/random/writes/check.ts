import { type ForeignKey, type Table, tableOf } from './schema.ts'
import { areSame, isMade, type Row, rowsOf, type Value, valueOf, valuesOf } from './state.ts'
import { cellId, type Removal, type Run } from './run-state.ts'
import { Refused } from './values.ts'

/** Removes children after all writes. */
export function applyRemovals(run: Run): void {
  const victims = run.removals.map((removal) => ({ removal, rows: leaving(run, removal) }))
  for (const { removal, rows } of victims) {
    for (const row of rows) {
      permitLeaving(run, removal, row)
      if (isInvolved(run, row)) run.open.add('a row is written and leaves')
      if (removal.action === 'nullify') for (const name of removal.columns) row.values.set(name, null)
    }
  }
  const deleted = victims.flatMap(({ removal, rows }) =>
    removal.action === 'delete' ? rows.map((row) => ({ table: removal.table, row })) : [],
  )
  if (deleted.length > 0) deleteRows(run, deleted, false)
}

function leaving(run: Run, { table, columns, parent, parentColumns, which }: Removal): Row[] {
  const values = valuesOf(parent, parentColumns)
  return rowsOf(run.after, table).filter(
    (row) =>
      areSame(valuesOf(row, columns), values) &&
      which.ids.has(row.id) === (which.kind === 'named') &&
      run.guard.sees(run, tableOf(run.schema, table), row),
  )
}

function permitLeaving(run: Run, { table: name, columns, action }: Removal, row: Row): void {
  const table = tableOf(run.schema, name)
  if (action === 'delete') run.guard.remove(run, table, row)
  else run.guard.empty(run, table, row, columns)
}

function isInvolved(run: Run, row: Row): boolean {
  if (run.created.has(row.id) || run.linked.has(row.id)) return true
  return [...row.values.keys()].some((name) => run.writes.has(cellId(row, name)))
}

interface Victim {
  readonly table: string
  readonly row: Row
}

interface Reference extends Victim {
  readonly key: ForeignKey
  readonly to: Row
}

/** Deletes rows with all consequences. `isOneStatement`: one statement deletes all of the rows. */
export function deleteRows(run: Run, victims: readonly Victim[], isOneStatement: boolean): void {
  const gone = new Map(victims.map((victim) => [victim.row.id, victim]))
  const first = new Set(gone.keys())
  const queue = [...gone.values()]
  const refs: Reference[] = []
  for (let victim = queue.shift(); victim !== undefined; victim = queue.shift()) {
    for (const reference of referencesTo(run, victim)) {
      refs.push(reference)
      if (reference.key.onDelete !== 'cascade' || gone.has(reference.row.id)) continue
      gone.set(reference.row.id, reference)
      queue.push(reference)
    }
  }
  for (const reference of refs) if (reference.key.onDelete === 'set null') unlink(run, reference)
  for (const { row, key, to } of refs) {
    if (key.onDelete !== 'restrict' && key.onDelete !== 'no action') continue
    if (gone.has(row.id)) {
      // MariaDB checks each row as it is deleted, even if the same statement deletes the others.
      const looksAtEnd = key.onDelete === 'no action' && run.schema.dialect !== 'mysql'
      const isAtOnce = isOneStatement && looksAtEnd && first.has(row.id) && first.has(to.id)
      if (!isAtOnce) run.mayRefuse.add('a row that is deleted refers to another one')
    } else if (areSame(valuesOf(row, key.columns), valuesOf(to, key.targetColumns)))
      throw new Refused(400, `${key.columns.join()} refers to a row that is deleted`)
  }
  for (const { table, row } of gone.values()) {
    if (isInvolved(run, row)) run.open.add('a row is written and deleted')
    const rows = rowsOf(run.after, table)
    const index = rows.indexOf(row)
    if (index >= 0) rows.splice(index, 1)
  }
}

function referencesTo(run: Run, { table, row: to }: Victim): Reference[] {
  return [...run.schema.tables.values()].flatMap((child) =>
    child.foreignKeys
      .filter((key) => key.target === table)
      .flatMap((key) =>
        rowsOf(run.after, child.name)
          .filter((row) => areSame(valuesOf(row, key.columns), valuesOf(to, key.targetColumns)))
          .map((row): Reference => ({ table: child.name, row, key, to })),
      ),
  )
}

function unlink(run: Run, { row, key }: Reference): void {
  for (const name of key.columns) {
    if (run.writes.has(cellId(row, name)) || run.created.has(row.id)) run.open.add('a link is written and emptied')
    row.values.set(name, null)
  }
}

/** Checks all constraints of the database on the final rows. */
export function checkAll(run: Run): void {
  for (const table of run.schema.tables.values()) {
    for (const row of rowsOf(run.after, table.name)) checkRow(table, row)
    for (const columns of [table.key, ...table.uniques]) checkUnique(run, table, columns)
    for (const key of table.foreignKeys) checkForeignKey(run, table, key)
  }
}

function checkRow(table: Table, row: Row): void {
  for (const { name, nullable, min } of table.columns) {
    const value = valueOf(row, name)
    if (value === null && !nullable) throw new Refused(400, `${table.name}.${name} may not be null`)
    if (min !== null && typeof value === 'string' && Number(value) < min)
      throw new Refused(400, `${table.name}.${name} is too small`)
  }
}

const tupleOf = (row: Row, columns: readonly string[]): string | null => {
  const values = valuesOf(row, columns)
  return values.includes(null) ? null : JSON.stringify(values.map(printed))
}

const printed = (value: Value): string | number | null => (isMade(value) ? value.made : value)

function checkUnique(run: Run, table: Table, columns: readonly string[]): void {
  const seen = new Set<string>()
  const owners = new Map(rowsOf(run.before, table.name).map((row) => [tupleOf(row, columns), row.id]))
  for (const row of rowsOf(run.after, table.name)) {
    const tuple = tupleOf(row, columns)
    if (tuple === null) continue
    if (seen.has(tuple)) throw new Refused(400, `${table.name} (${columns.join()}) is not unique`)
    seen.add(tuple)
    const owner = owners.get(tuple)
    if (owner !== undefined && owner !== row.id) run.mayRefuse.add('a unique value changes hands')
  }
}

function checkForeignKey(run: Run, table: Table, key: ForeignKey): void {
  const { columns, target, targetColumns } = key
  for (const row of rowsOf(run.after, table.name)) {
    const values = valuesOf(row, columns)
    if (values.includes(null)) continue
    const found = rowsOf(run.after, target).find((other) => areSame(valuesOf(other, targetColumns), values))
    if (found === undefined) throw new Refused(400, `${table.name}.${columns.join()} refers to nothing`)
    if (run.created.has(found.id) && columns.some((name) => run.scalars.has(cellId(row, name))))
      run.mayRefuse.add('a plain key of a row that the request creates')
  }
  for (const row of rowsOf(run.after, target))
    if (hasLost(run, table, key, row)) run.mayRefuse.add('a key that is referred to changes')
}

/** Whether a referenced value of the row has changed. */
function hasLost(run: Run, table: Table, { columns, target, targetColumns }: ForeignKey, row: Row): boolean {
  const old = rowsOf(run.before, target).find(({ id }) => id === row.id)
  if (old === undefined) return false
  const values = valuesOf(old, targetColumns)
  if (areSame(values, valuesOf(row, targetColumns))) return false
  return rowsOf(run.before, table.name).some((other) => areSame(valuesOf(other, columns), values))
}
