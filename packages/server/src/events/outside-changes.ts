import { shownPart } from '../changes/recorded-row.ts'
import { pieces } from '../lib/pieces.ts'
import { joinedKey } from '../query/keys.ts'
import type { Collection, Schema } from '../schema/schema.ts'
import { typed } from '../schema/typed-column.ts'
import { LARGEST_IMAGE } from '../sql/bulk.ts'
import { runWith, type Database } from '../sql/database.ts'
import type { Dialect } from '../sql/dialect.ts'
import { DatabaseError } from '../sql/driver.ts'
import { faults } from '../sql/faults.ts'
import type { LogicalSource, OutsideCells, OutsideChange } from '../sql/outside.ts'
import { AT_ONCE, MOST_AT_ONCE } from '../sql/service/events.ts'
import { table } from '../sql/sql.ts'
import type { ChangeKind, NewChange } from './logged-change.ts'

/** A change from outside, with the transaction that made it and what that transaction has told by itself. */
export interface HeardChange {
  readonly change: OutsideChange
  readonly write: string
  /** `toldName` of each item. */
  readonly told: ReadonlySet<string>
  readonly isReshaped: boolean
}

export const toldName = (collection: string, item: string): string => `${collection}\0${item}`

/** A change whose rows are still to be brought into the form of the log. */
interface Draft {
  readonly collection: Collection
  readonly write: string
  readonly key: string
  readonly kind: ChangeKind
  readonly before: OutsideCells | null
  readonly after: OutsideCells | null
}

const tables = new WeakMap<Schema, ReadonlyMap<string, Collection>>()

/** The user's collections by schema and table; the service tells changes of its own tables itself. */
function collectionsByTable(schema: Schema): ReadonlyMap<string, Collection> {
  const known = tables.get(schema)
  if (known !== undefined) return known
  const found = [...schema.collections.values()].filter(
    ({ isSystem, key, kind }) => !isSystem && key.length > 0 && (kind === 'table' || kind === 'partitioned'),
  )
  const made = new Map(found.map((collection) => [toldName(collection.schema, collection.table), collection]))
  tables.set(schema, made)
  return made
}

/** Tables of changes that the schema does not have: it may be older than they are. */
export const unknownTables = (heard: readonly HeardChange[], schema: Schema): ReadonlySet<string> => {
  const known = collectionsByTable(schema)
  return new Set(heard.map(({ change }) => toldName(change.schema, change.table)).filter((name) => !known.has(name)))
}

export const heardCollections = (schema: Schema): readonly Collection[] => [...collectionsByTable(schema).values()]

/** The key as addresses have it; null: the log does not tell it. */
function keyIn(cells: OutsideCells | null, { key }: Collection, dialect: Dialect): string | null {
  if (cells === null) return null
  const parts: string[] = []
  for (const field of key) {
    const text = cells[field.column.name]
    if (text === undefined || text === null) return null
    parts.push(shownPart(text, field, dialect))
  }
  return joinedKey(parts)
}

/** One row that got another key is a row that went and a row that came. */
function draftsOf({ change, write, told }: HeardChange, collection: Collection, dialect: Dialect): readonly Draft[] {
  const { kind, isBeforeWhole } = change
  const whole = isBeforeWhole ? change.before : null
  const oldKey = keyIn(change.before, collection, dialect)
  const newKey = keyIn(change.after, collection, dialect)
  const key = newKey ?? oldKey
  const one = { collection, write }
  // Without a key nobody can say which row it was.
  if (kind === 'truncate' || key === null) return [{ ...one, key: '', kind: 'truncate', before: null, after: null }]
  const drafts: readonly Draft[] =
    kind === 'update' && oldKey !== null && oldKey !== newKey
      ? [
          { ...one, key: oldKey, kind: 'delete', before: whole, after: null },
          { ...one, key, kind: 'create', before: null, after: change.after },
        ]
      : [{ ...one, key, kind, before: whole, after: change.after }]
  return drafts.filter((draft) => !told.has(toldName(collection.name, draft.key)))
}

export interface ChangeForms {
  readonly database: Pick<Database, 'driver' | 'dialect'>
  readonly logical: LogicalSource
  readonly isCaptured: (collection: Collection) => boolean
}

/** The changes that the log of changes is to have, in its form. */
export async function newChanges(
  heard: readonly HeardChange[],
  schema: Schema,
  { database, logical, isCaptured }: ChangeForms,
): Promise<readonly NewChange[]> {
  const collections = collectionsByTable(schema)
  const drafts = heard.flatMap((each) => {
    const collection = collections.get(toldName(each.change.schema, each.change.table))
    return collection === undefined || !isCaptured(collection) ? [] : draftsOf(each, collection, database.dialect)
  })
  const rows = new Map<OutsideCells, string | null>()
  for (const [collection, those] of Map.groupBy(drafts, (draft) => draft.collection)) {
    const forms = { collection, database, logical }
    const whole = those
      .flatMap(({ before, after }) => [before, after])
      .filter((cells) => cells !== null)
      .filter((cells) => sizeOf(cells) <= LARGEST_CELLS)
    for (const some of pieces(whole, { count: AT_ONCE, size: MOST_AT_ONCE }, sizeOf)) {
      const isWhole = isComplete(collection)
      await readImages(some.filter(isWhole), rows, forms)
      await readPresent(
        some.filter((cells) => !isWhole(cells)),
        rows,
        forms,
      )
    }
  }
  return drafts.map(({ collection, write, key, kind, before, after }) => ({
    write,
    collection: collection.name,
    key,
    kind,
    before: kept(before, rows),
    after: kept(after, rows),
    user: null,
  }))
}

/** Bytes are shown with two characters for each, and stored with fewer. */
const LARGEST_CELLS = 2 * LARGEST_IMAGE

const sizeOf = (cells: OutsideCells): number =>
  Object.values(cells).reduce((sum, text) => sum + (text?.length ?? 0) + 20, 0)

/** Larger rows are left out, as they are of writes of the service: readers fetch them. */
function kept(cells: OutsideCells | null, rows: ReadonlyMap<OutsideCells, string | null>): string | null {
  const row = cells === null ? null : (rows.get(cells) ?? null)
  return row !== null && row.length > LARGEST_IMAGE ? null : row
}

interface Forms {
  readonly collection: Collection
  readonly database: ChangeForms['database']
  readonly logical: LogicalSource
}

/** A long value that did not change is not told, nor is a column that was added later. */
const isComplete =
  ({ columns }: Collection) =>
  (cells: OutsideCells): boolean => {
    for (const { column } of columns.values()) if (cells[column.name] === undefined) return false
    return true
  }

const secretsOf = ({ columns }: Collection): readonly string[] =>
  [...columns.values()].flatMap(({ name, specials }) => (specials.includes('conceal') ? [name] : []))

const jsonOf = (rows: readonly OutsideCells[], fields: Collection['key'], { cellJson }: LogicalSource): string => {
  const cellsOf = (cells: OutsideCells) =>
    fields.flatMap((field, index) => {
      const text = cells[field.column.name]
      return text === undefined || text === null ? [] : [`"f${index}":${cellJson(text, typed(field))}`]
    })
  return `[${rows.map((cells) => `{${cellsOf(cells).join(',')}}`).join(',')}]`
}

/**
 * The database brings the values into the form that it has for writes of the service. Values from before a change of the
 * table may fit it no longer: these rows are unknown, and not those beside them.
 */
async function readImages(
  cells: readonly OutsideCells[],
  rows: Map<OutsideCells, string | null>,
  forms: Forms,
): Promise<void> {
  if (cells.length === 0) return
  const { collection, database, logical } = forms
  const { driver, dialect } = database
  const fields = [...collection.columns.values()]
  const set = { columns: fields.map(typed), parameter: 0 }
  const found = await unlessChanged(
    runWith(logical.images(set, secretsOf(collection)), [jsonOf(cells, fields, logical)], driver, dialect),
  )
  if (found !== null) for (const [index, each] of cells.entries()) rows.set(each, found[index]?.[0] ?? null)
  else if (cells.length > 1) {
    const middle = cells.length >> 1
    await readImages(cells.slice(0, middle), rows, forms)
    await readImages(cells.slice(middle), rows, forms)
  }
}

/** What the log does not tell is taken from the row as it is now. */
async function readPresent(
  cells: readonly OutsideCells[],
  rows: Map<OutsideCells, string | null>,
  { collection, database, logical }: Forms,
): Promise<void> {
  if (cells.length === 0) return
  const { driver, dialect } = database
  const set = { columns: collection.key.map(typed), parameter: 0 }
  const row = { columns: [...collection.columns.values()].map(typed), isWhole: false }
  const statement = logical.rowsNow(table(collection.schema, collection.table), set, row, secretsOf(collection))
  const found = await unlessChanged(runWith(statement, [jsonOf(cells, collection.key, logical)], driver, dialect))
  for (const [place, text] of found ?? []) {
    const each = cells[Number(place) - 1]
    if (each !== undefined) rows.set(each, text ?? null)
  }
}

/** null: the table has changed since, and does not take its old values. */
async function unlessChanged<Rows>(reading: Promise<Rows>): Promise<Rows | null> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    if (faults[error.fault] === 'moment' && error.fault !== 'schema-changed') throw error
    return null
  }
}
