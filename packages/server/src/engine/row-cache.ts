import { isRuleConstant } from '../lib/parameter.ts'
import type { BoundQuery } from '../query/bound.ts'
import { isTime } from '../query/variables.ts'
import type { Collection, Schema } from '../schema/schema.ts'
import { isPlaceholder } from '../sql/bind.ts'
import type { Compiled } from '../sql/compile.ts'
import type { Row, Statement } from '../sql/driver.ts'
import { VERSION } from './plan-read.ts'

/** Keeps the rows of reads until a collection that they come from is written. */
export interface RowCache {
  find(collections: readonly string[], key: string, read: () => Promise<readonly Row[]>): Promise<readonly Row[]>
  change(collections: readonly string[]): Promise<void>
}

/**
 * The rows of a statement, from the cache if they are there. The key is the statement with its values: it contains the
 * permissions and the caller, if they make a difference. Cached rows get the versions that the database has now, so the
 * caller of this function notices outdated permissions as with any other rows.
 */
export async function cachedRows(
  { text, values }: Statement,
  collections: readonly string[],
  cache: RowCache,
  stamp: () => Promise<string>,
  read: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const versions = await stamp()
  const key = JSON.stringify([versions.split('.')[0], text, values], (_, value: unknown) =>
    typeof value === 'bigint' ? { bigint: String(value) } : value,
  )
  let isRead = false
  const rows = await cache.find(collections, key, () => {
    isRead = true
    return read()
  })
  const [first, ...others] = rows
  return isRead || first === undefined ? rows : [first.with(VERSION, versions), ...others]
}

/** Whether a rule of the statement compares with the current time. */
export const hasTimeInRules = ({ binds }: Compiled): boolean =>
  binds.some((bind) => isPlaceholder(bind) && isRuleConstant(bind.parameter) && isTime(bind.parameter.constant))

/**
 * The collections whose rows a read shows or tests; null: its result depends on something else too. Views depend on tables
 * that are not known here, and the service writes its own tables also in other ways.
 */
export function collectionsOf(query: BoundQuery, compiled: Compiled, schema: Schema): readonly string[] | null {
  if (hasTimeInRules(compiled)) return null
  const found = readSetOf(query, schema)
  for (const { kind, isSystem } of found) if (kind !== 'table' || isSystem) return null
  return found.map(({ name }) => name).toSorted()
}

/** The collections that a read names, in what it shows and in what it tests. */
export function readSetOf(query: BoundQuery, schema: Schema): readonly Collection[] {
  const found = new Set<Collection>()
  collect(query, new Set(schema.collections.values()), found, new Set())
  return [...found]
}

/** Walks over everything instead of naming the places, so that no place can be forgotten. */
function collect(value: unknown, known: ReadonlySet<unknown>, found: Set<Collection>, seen: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  if (known.has(value)) found.add(value as Collection)
  else if (value instanceof Map || value instanceof Set) for (const entry of value) collect(entry, known, found, seen)
  // A field leads to the relations of the whole schema.
  else if (!isField(value)) for (const entry of Object.values(value)) collect(entry, known, found, seen)
}

const isField = (value: object) => 'column' in value && 'specials' in value

/** The collections, and those whose rows the database changes along with theirs by foreign keys. */
export function withDependents(written: Iterable<Collection>, schema: Schema): readonly string[] {
  const found = new Set(written)
  // A set visits members that are added meanwhile.
  for (const target of found)
    for (const collection of schema.collections.values())
      if (collection.foreignKeys.some((each) => isChangedBy(each, target))) found.add(collection)
  return [...found].map(({ name }) => name)
}

const isChangedBy = (
  { toSchema, toTable, onDelete, onUpdate }: Collection['foreignKeys'][number],
  { schema, table }: Collection,
): boolean =>
  toSchema === schema &&
  toTable === table &&
  [onDelete, onUpdate].some((action) => !/^(NO ACTION|RESTRICT)$/u.test(action))
