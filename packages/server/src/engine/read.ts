import { forbidden, invalidQuery, ServiceError, type MetaValue } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import { isRuleConstant, type Parameter } from '../lib/parameter.ts'
import type { Query } from '../query/query.ts'
import { ruleConstant, resolveVariable, type Variables } from '../query/variables.ts'
import type { Schema } from '../schema/schema.ts'
import { isPlaceholder, type Placeholder } from '../sql/bind.ts'
import { tooLarge, type Bind, type Row, type Statement } from '../sql/driver.ts'
import type { CompiledRead, CompileRead, ReadRequest } from './compile-read.ts'
import { cursorIndex, readCursor, writeCursor, type CursorValues } from './cursor.ts'
import { cellsAt, KEYS_PARAMETER, PRESENT } from './plan-read.ts'
import type { Cell } from './serialize.ts'

/** A read of a list, or of one item when a key is given. */
export interface Read {
  readonly collection: string
  /** True if `collection` is the declared name of a system collection. */
  readonly isSystem?: boolean
  readonly query: Query
  readonly queryKey: string
  readonly values: readonly unknown[]
  readonly meta: readonly MetaValue[]
  readonly cursor: string | null
  /** Parts of the item's key as text; null for a list. */
  readonly key: readonly string[] | null
  /** Keys of several items as a recordset; the items are returned in this order. */
  readonly keys?: string
  /** Also returns the keys of the rows. */
  readonly wantsKeys?: boolean
}

export interface Rows {
  /** The rows as JSON texts. */
  readonly rows: readonly string[]
  readonly meta: Readonly<Record<string, number | string | null>> | null
}

export interface Item {
  readonly data: string
  /** Changes whenever the stored row does. */
  readonly rowVersion: string
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
}

/** Binds a read to one schema: takes its statement from the cache and encodes its values. */
export function prepareRead(actor: Actor, read: Read, schema: Schema, compileRead: CompileRead): Prepared {
  const sortKey =
    read.cursor === null && !read.meta.includes('cursor') ? '' : JSON.stringify([read.collection, read.query.sort])
  const cursor = read.cursor === null ? null : readCursor(read.cursor, sortKey)
  const compiled = compileRead(shapeOf(read, cursor), schema, actor)
  return { compiled, values: bindRequest(compiled, read, actor, cursor), sortKey }
}

export const statementFor = ({ compiled, values }: Prepared): Statement => ({
  text: compiled.statement.text,
  values,
  name: compiled.name,
  isSmall: compiled.isSmall,
  mostBytes: compiled.mostBytes,
})

const shapeOf = (
  { collection, isSystem = false, query, queryKey, meta, key, keys, wantsKeys = false }: Read,
  cursor: CursorValues | null,
): ReadRequest => ({
  collection,
  isSystem,
  query,
  queryKey,
  by: key !== null ? 'key' : keys !== undefined ? 'keys' : 'query',
  wantsRowVersion: key !== null,
  wantsKeys,
  meta,
  cursorNulls: cursor?.map((value) => value === null) ?? null,
})

function bindRequest(
  { statement, collection, sortTerms }: CompiledRead,
  read: Read,
  actor: Actor,
  cursor: CursorValues | null,
): Bind[] {
  if (read.key !== null && read.key.length !== collection.key.length) throw forbidden()
  if (read.key !== null && collection.key.length === 0) throw forbidden()
  if (cursor !== null && cursor.length !== sortTerms) throw invalidQuery('The cursor was made for another sort')
  let variables: Variables | undefined
  const valueOf = (parameter: Parameter): unknown => {
    if (isRuleConstant(parameter) || parameter >= 0) {
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
        : resolveVariable(read.values[parameter], variables)
    }
    if (parameter === KEYS_PARAMETER) return read.keys
    const index = cursorIndex(parameter)
    return index === null ? read.key?.[-1 - parameter] : cursor?.[index]
  }
  return statement.binds.map((bind) => {
    if (!isPlaceholder(bind)) return bind
    return isKeyParameter(bind.parameter)
      ? encodeKey(bind, valueOf(bind.parameter))
      : bind.encode(valueOf(bind.parameter))
  })
}

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

export function listReply({ compiled, sortKey }: Prepared, rows: readonly Row[]): Rows {
  const found = hasRows(rows) ? rows : []
  const { cursorAt, limit, counts } = compiled
  const wantsCursor = cursorAt !== null
  const hasMore = wantsCursor && limit >= 0 && found.length > limit
  const shown = hasMore ? found.slice(0, limit) : found
  const last = shown.at(-1)
  const meta: Record<string, number | string | null> = {}
  for (const { name, at } of counts) meta[name] = Number(rows[0]?.[at] ?? 0)
  if (wantsCursor) {
    const isEnd = !hasMore || last === undefined
    meta['next_cursor'] = isEnd ? null : writeCursor(sortKey, cellsAt(cursorAt, last))
  }
  return { rows: writeRows(shown, compiled), meta: counts.length > 0 || wantsCursor ? meta : null }
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

export function itemReply({ compiled }: Prepared, rows: readonly Row[]): Item {
  const [row] = rows
  if (row === undefined || !hasRows(rows)) throw forbidden()
  return { data: written(row, compiled.write, compiled.mostBytes), rowVersion: compiled.rowVersion?.(row) ?? '' }
}

/** Keys of the rows found, if requested. */
export function keysReply({ compiled }: Prepared, rows: readonly Row[]): string[][] {
  const { keysAt } = compiled
  if (!hasRows(rows) || keysAt === null) return []
  return rows.map((row) => keysAt.map((at) => row[at] ?? ''))
}
