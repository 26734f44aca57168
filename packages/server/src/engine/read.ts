import { forbidden, invalidQuery, ServiceError, type MetaValue } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import { isRuleConstant, type Parameter } from '../lib/parameter.ts'
import type { Query } from '../query/query.ts'
import { isTime, ruleConstant, resolveVariable, type Variables } from '../query/variables.ts'
import type { Schema } from '../schema/schema.ts'
import { isPlaceholder, type Placeholder } from '../sql/bind.ts'
import { tooLarge, type Bind, type Row, type Statement } from '../sql/driver.ts'
import type { CompiledRead, CompileRead, ReadRequest } from './compile-read.ts'
import { cursorIndex, readCursor, shapeOfCursor, writeCursor, type Cursor } from './cursor.ts'
import { cellsAt, KEYS_PARAMETER, PRESENT, type Count } from './plan-read.ts'
import type { Cell } from './serialize.ts'
import { sharedKey } from './shared-key.ts'

/** A read of a list, or of one item when a key is given. */
export interface Read {
  readonly collection: string
  /** True if `collection` is the declared name of a system collection. */
  readonly isSystem?: boolean
  readonly query: Query
  readonly queryKey: string
  readonly values: readonly unknown[]
  readonly meta: readonly MetaValue[]
  /** Counts stop here; absent or null: they are complete. */
  readonly countUpTo?: number | null
  readonly cursor: string | null
  /** See ReadRequest; absent or null: the list begins with its first row. */
  readonly seek?: number | null
  /** Parts of the item's key as text; null for a list. */
  readonly key: readonly string[] | null
  /** Keys of several items as a recordset; the items are returned in this order. */
  readonly keys?: string
  /** Rows as they once were, as a recordset: finds those among them that the query would show. */
  readonly images?: string
  /** Also returns the keys of the rows, and whether the caller can see them. */
  readonly wantsKeys?: boolean
  /** Also returns the places of the rows in the set of keys. */
  readonly wantsPlaces?: boolean
}

/** Where a sought page begins. */
export interface Position {
  /** The share of the rows before the first row of the page. */
  readonly share: number
  /** How many rows that are; null if the share is an estimate. */
  readonly row: number | null
}

type MetaContent = number | string | null | readonly string[] | Position

export interface Rows {
  /** The rows as JSON texts. */
  readonly rows: readonly string[]
  readonly meta: Readonly<Record<string, MetaContent>> | null
  /** See shared-reads.ts; absent: it is not for everybody. */
  readonly isShared?: boolean
}

export interface Item {
  readonly data: string
  /** Changes whenever the stored row does. */
  readonly rowVersion: string
  /** Shows nothing of other rows, so the row version is a version of the whole response. */
  readonly isOfRowAlone: boolean
  /** Whether the current time decides what it shows. */
  readonly isOfNow: boolean
  /** See shared-reads.ts; absent: it is not for everybody. */
  readonly isShared?: boolean
}

export interface Stream {
  readonly cells: readonly Cell[]
  readonly batches: AsyncIterable<readonly Row[]>
}

/** A read bound to one schema, ready to run. */
export interface Prepared {
  readonly compiled: CompiledRead
  readonly values: Bind[]
  readonly sortKey: string
  readonly cursor: Cursor | null
  /** Whether it begins with the first row. */
  readonly isFirstPage: boolean
  /** Whether a value of the request or of a rule is the current time. */
  readonly isOfNow: boolean
}

/** Binds a read to one schema: takes its statement from the cache and encodes its values. */
export function prepareRead(
  actor: Actor,
  read: Read,
  schema: Schema,
  compileRead: CompileRead,
  start: Cursor | null = null,
): Prepared {
  const sortKey =
    read.cursor === null && !read.meta.includes('cursor') ? '' : JSON.stringify([read.collection, read.query.sort])
  const cursor = read.cursor === null ? start : readCursor(read.cursor, sortKey)
  const compiled = compileRead(shapeOf(read, cursor), schema, actor)
  const isFirstPage = cursor === null && read.query.offset === null
  const isOfNow = compiled.isOfNow || read.values.some(isTime)
  return { compiled, values: bindRequest(compiled, read, actor, cursor), sortKey, cursor, isFirstPage, isOfNow }
}

export const statementFor = ({ compiled, values }: Prepared): Statement => ({
  text: compiled.statement.text,
  values,
  name: compiled.name,
  isSmall: compiled.isSmall,
  mostBytes: compiled.mostBytes,
})

export const shapeOf = (
  {
    collection,
    isSystem = false,
    query,
    queryKey,
    meta,
    countUpTo = null,
    key,
    keys,
    images,
    wantsKeys = false,
    wantsPlaces = false,
  }: Read,
  cursor: Cursor | null,
): ReadRequest => ({
  collection,
  isSystem,
  query,
  queryKey,
  by: key !== null ? 'key' : keys !== undefined ? 'keys' : images !== undefined ? 'images' : 'query',
  wantsRowVersion: key !== null || meta.includes('etag'),
  wantsKeys,
  wantsPlaces,
  meta,
  countUpTo,
  cursor: cursor && shapeOfCursor(cursor),
})

function bindRequest(
  { statement, collection, sortTerms }: CompiledRead,
  read: Read,
  actor: Actor,
  cursor: Cursor | null,
): Bind[] {
  if (read.key !== null && read.key.length !== collection.key.length) throw forbidden()
  if (read.key !== null && collection.key.length === 0) throw forbidden()
  if (cursor !== null && !isEnd(cursor) && cursor.values.length !== sortTerms)
    throw invalidQuery('The cursor was made for another sort')
  const own = ownValues(read, actor)
  const valueOf = (parameter: Parameter): unknown => {
    if (isRuleConstant(parameter) || parameter >= 0) return own(parameter)
    if (parameter === KEYS_PARAMETER) return read.keys ?? read.images
    const index = cursorIndex(parameter)
    return index === null ? read.key?.[-1 - parameter] : cursor?.values[index]
  }
  return statement.binds.map((bind) => {
    if (!isPlaceholder(bind)) return bind
    return isKeyParameter(bind.parameter)
      ? encodeKey(bind, valueOf(bind.parameter))
      : bind.encode(valueOf(bind.parameter))
  })
}

/** The values of the request itself and of the rules that apply to it. */
export function ownValues({ values }: Pick<Read, 'values'>, actor: Actor): (parameter: Parameter) => unknown {
  let variables: Variables | undefined
  return (parameter) => {
    variables ??= {
      now: new Date(),
      user: actor.user,
      role: actor.role,
      roles: actor.roles,
      policies: actor.policies,
      paths: actor.paths,
    }
    return isRuleConstant(parameter)
      ? ruleConstant(parameter, variables)
      : resolveVariable(values[parameter], variables)
  }
}

const isEnd = ({ values }: Cursor) => values.length === 0

const isKeyParameter = (parameter: Parameter) =>
  !isRuleConstant(parameter) && parameter < 0 && parameter !== KEYS_PARAMETER && cursorIndex(parameter) === null

/** An invalid key is treated as the key of an item that does not exist. */
function encodeKey(bind: Placeholder, value: unknown): Bind {
  try {
    return bind.encode(value)
  } catch (error) {
    throw error instanceof ServiceError ? forbidden() : error
  }
}

/** A statement always returns a row with the versions, even if there are no items. */
export const hasRows = (rows: readonly Row[]) => (rows[0]?.[PRESENT] ?? null) !== null

export function listReply(prepared: Prepared, rows: readonly Row[]): Rows {
  const { compiled, cursor } = prepared
  const found = hasRows(rows) ? rows : []
  const { cursorAt, limit, counts, isPlanEstimated, countUpTo, rowVersion } = compiled
  const hasMore = cursorAt !== null && limit >= 0 && found.length > limit
  const page = hasMore ? found.slice(0, limit) : found
  const shown = cursor?.isBackward === true ? page.toReversed() : page
  const meta: Record<string, MetaContent> = {}
  for (const { name, at } of counts) meta[name] = Number(rows[0]?.[at] ?? 0)
  if (countUpTo !== null && (counts.length > 0 || isPlanEstimated)) Object.assign(meta, capped(meta, counts, countUpTo))
  if (cursorAt !== null) Object.assign(meta, cursorsOf(prepared, cursorAt, shown, hasMore))
  if (rowVersion !== null) meta['etags'] = shown.map((row) => `"${rowVersion(row)}"`)
  return { rows: writeRows(shown, compiled), meta: Object.keys(meta).length > 0 ? meta : null }
}

/** A count that stopped is one more than it may be. */
function capped(
  found: Readonly<Record<string, unknown>>,
  counts: readonly Count[],
  most: number,
): Readonly<Record<string, number | readonly string[]>> {
  const names = counts.flatMap(({ name, isCounted }) => (isCounted && Number(found[name]) > most ? [name] : []))
  return { ...Object.fromEntries(names.map((name) => [name, most])), capped_counts: names }
}

/** Where a page ends in the direction of reading is known; in the other direction there is the row it was left at. */
function cursorsOf(
  { cursor, sortKey, isFirstPage }: Prepared,
  cursorAt: readonly number[],
  shown: readonly Row[],
  hasMore: boolean,
): Readonly<Record<'next_cursor' | 'prev_cursor', string | null>> {
  const from = (row: Row | undefined, isBackward: boolean) =>
    row === undefined ? null : writeCursor(sortKey, { values: cellsAt(cursorAt, row), isBackward })
  const isBackward = cursor !== null && cursor.isBackward
  const hasNext = isBackward ? !isEnd(cursor) : hasMore
  const hasPrevious = isBackward ? hasMore : !isFirstPage
  return {
    next_cursor: hasNext ? from(shown.at(-1), false) : null,
    prev_cursor: hasPrevious ? from(shown[0], true) : null,
  }
}

/** Checks the size again, because values can be longer as JSON than they were in the driver's rows. */
function writeRows(rows: readonly Row[], { write, mostBytes }: CompiledRead): string[] {
  let left = mostBytes
  return rows.map((row) => {
    const text = written(row, write, mostBytes)
    left -= text.length
    if (left < 0) throw tooLarge(mostBytes)
    return text
  })
}

function written(row: Row, write: CompiledRead['write'], mostBytes: number): string {
  try {
    return write(row)
  } catch (error) {
    // The text exceeds the maximum length of a string.
    throw error instanceof RangeError ? tooLarge(mostBytes) : error
  }
}

export function itemReply({ compiled, isOfNow }: Prepared, rows: readonly Row[]): Item {
  const [row] = rows
  if (row === undefined || !hasRows(rows)) throw forbidden()
  if (rows.length > 1) throw sharedKey(compiled.collection)
  return {
    data: written(row, compiled.write, compiled.mostBytes),
    rowVersion: compiled.rowVersion?.(row) ?? '',
    isOfRowAlone: compiled.isOfRowAlone,
    isOfNow,
  }
}

/** The key of a row that was found. */
export interface FoundKey {
  readonly key: readonly string[]
  /** Whether the caller can see the key in that row. */
  readonly isShown: boolean
}

/** Keys of the rows found, if requested. */
export function foundKeys({ compiled }: Prepared, rows: readonly Row[]): FoundKey[] {
  const { keysAt, isKeyShown } = compiled
  if (!hasRows(rows) || keysAt === null) return []
  return rows.map((row) => ({ key: keysAt.map((at) => row[at] ?? ''), isShown: isKeyShown(row) }))
}
