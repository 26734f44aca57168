import { forbidden, invalidQuery, ServiceError, type MetaValue } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import type { Observe } from '../observe.ts'
import type { Query } from '../query/query.ts'
import { resolveVariable, type Variables } from '../query/variables.ts'
import type { Schema } from '../schema/schema.ts'
import type { Snapshot } from '../schema/snapshot.ts'
import { isParameter, type Parameter } from '../sql/bind.ts'
import type { Database } from '../sql/database.ts'
import { DatabaseError, type Bind, type Row } from '../sql/driver.ts'
import { faultToError } from './faults.ts'
import { createCompileRead, type CompiledRead, type Shape } from './compile-read.ts'
import { cursorIndex, readCursor, writeCursor, type CursorValues } from './cursor.ts'
import { PRESENT, VERSION } from './plan-read.ts'
import type { Cell } from './serialize.ts'

/** A read of a list, or of one item when a key is given. */
export interface Read {
  readonly collection: string
  readonly query: Query
  readonly queryKey: string
  readonly values: readonly unknown[]
  readonly meta: readonly MetaValue[]
  readonly cursor: string | null
  /** Parts of the item's key as text; null for a list. */
  readonly key: readonly string[] | null
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

/** The narrow waist: every spelling of a request ends here. */
export interface Engine {
  list(actor: Actor, read: Read, signal?: AbortSignal): Promise<Rows>
  item(actor: Actor, read: Read, signal?: AbortSignal): Promise<Item>
  stream(actor: Actor, read: Read, signal?: AbortSignal): Promise<Stream>
  /** The schema of this moment; SERVICE_UNAVAILABLE until there is one. */
  schema(): Schema
}

export interface EngineOptions {
  readonly database: Database
  readonly snapshot: Snapshot
  readonly limitDefault: number
  readonly systemSchema: string | null
  readonly observe: Observe
}

const MAX_TRIES = 5
const SHAPES = 2000

export function createEngine({ database, snapshot, limitDefault, systemSchema, observe }: EngineOptions): Engine {
  const { driver, dialect } = database
  const version = systemSchema === null ? null : dialect.versionTable(systemSchema)
  const compileRead = createCompileRead({ dialect, limitDefault, version, size: SHAPES })

  const currentSchema = (): Schema => {
    const schema = snapshot.current()
    if (schema === null) throw new ServiceError('SERVICE_UNAVAILABLE', 'The database has not answered yet.')
    return schema
  }

  /** The stages of a read: shape → statement → run; again under a newer schema when the answer turns out to be outdated. */
  async function run<T>(actor: Actor, read: Read, ask: (prepared: Prepared) => Promise<Asked<T>>): Promise<T> {
    let schema = currentSchema()
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      try {
        const prepared = prepare(actor, read, schema)
        if (prepared instanceof ServiceError) {
          // A refusal is an answer as well, but no statement has brought the version for it.
          const latest = await snapshot.latest()
          if (latest === schema) throw prepared
          schema = latest
          continue
        }
        const { rows, finish, discard } = await ask(prepared)
        const found = version === null ? schema.version : Number(rows[0]?.[VERSION])
        if (found === schema.version) return finish()
        await discard?.()
        observe({ kind: 'answer-outdated', had: schema.version, found })
        schema = await snapshot.atLeast(found)
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error
        if (error.fault !== 'schema-changed' || tries > 1) throw faultToError(error, read.key !== null)
        observe({ kind: 'structure-changed', error })
        schema = await snapshot.reload()
      }
    }
    throw new ServiceError('SERVICE_UNAVAILABLE', 'The structure of the database keeps changing.')
  }

  function prepare(actor: Actor, read: Read, schema: Schema): Prepared | ServiceError {
    try {
      return prepareRead(actor, read, schema)
    } catch (error) {
      if (error instanceof ServiceError) return error
      throw error
    }
  }

  function prepareRead(actor: Actor, read: Read, schema: Schema): Prepared {
    const sortKey =
      read.cursor === null && !read.meta.includes('cursor') ? '' : JSON.stringify([read.collection, read.query.sort])
    const cursor = read.cursor === null ? null : readCursor(read.cursor, sortKey)
    const compiled = compileRead(shapeOf(read, cursor), schema, actor)
    return { compiled, values: bindRequest(compiled, read, actor, cursor), sortKey }
  }

  async function askRows<T>(prepared: Prepared, signal: AbortSignal | undefined, finish: Finish<T>): Promise<Asked<T>> {
    const { compiled, values } = prepared
    const statement = { text: compiled.statement.text, values, name: compiled.name }
    const rows = await driver.query(statement, signal && { signal })
    return { rows, finish: () => finish(prepared, rows) }
  }

  /** A long answer cannot be taken back, so its version is checked before the first row goes out. */
  async function askStream({ compiled, values }: Prepared, read: Read, signal?: AbortSignal): Promise<Asked<Stream>> {
    const statement = { text: compiled.statement.text, values }
    const batches = driver.stream(statement, signal && { signal })[Symbol.asyncIterator]()
    const { value: rows = [] } = (await batches.next()) as { value?: readonly Row[] }
    return {
      rows,
      finish: () => ({ cells: compiled.cells, batches: batchesFrom(rows, batches, read) }),
      discard: () => batches.return?.(),
    }
  }

  return {
    list: (actor, read, signal) => run(actor, read, (prepared) => askRows(prepared, signal, listReply)),
    item: (actor, read, signal) => run(actor, read, (prepared) => askRows(prepared, signal, itemReply)),
    stream: (actor, read, signal) => run(actor, read, (prepared) => askStream(prepared, read, signal)),
    schema: currentSchema,
  }
}

/** A read under one schema, ready to be sent. */
interface Prepared {
  readonly compiled: CompiledRead
  readonly values: Bind[]
  readonly sortKey: string
}

/** What came first, and how to go on with it or to drop it. */
interface Asked<T> {
  readonly rows: readonly Row[]
  readonly finish: () => T
  readonly discard?: () => Promise<unknown> | undefined
}

type Finish<T> = (prepared: Prepared, rows: readonly Row[]) => T

async function* batchesFrom(
  first: readonly Row[],
  others: AsyncIterator<readonly Row[]>,
  { key }: Read,
): AsyncIterable<readonly Row[]> {
  try {
    if (key !== null && !hasRows(first)) throw forbidden()
    yield hasRows(first) ? first : []
    for (let next = await others.next(); next.done !== true; next = await others.next()) yield next.value
  } catch (error) {
    throw error instanceof DatabaseError ? faultToError(error, false) : error
  } finally {
    await others.return?.()
  }
}

const shapeOf = ({ collection, query, queryKey, meta, key }: Read, cursor: CursorValues | null): Shape => ({
  collection,
  query,
  queryKey,
  byKey: key !== null,
  wantsRowVersion: key !== null,
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
  const valueOf = (slot: number): unknown => {
    if (slot >= 0) {
      variables ??= {
        now: new Date(),
        user: actor.user,
        role: actor.role,
        roles: actor.roles,
        policies: actor.policies,
      }
      return resolveVariable(read.values[slot], variables)
    }
    const index = cursorIndex(slot)
    return index === null ? read.key?.[-1 - slot] : cursor?.[index]
  }
  return statement.binds.map((bind) => {
    if (!isParameter(bind)) return bind
    return isKeySlot(bind.slot) ? encodeKey(bind, valueOf(bind.slot)) : bind.encode(valueOf(bind.slot))
  })
}

const isKeySlot = (slot: number) => slot < 0 && cursorIndex(slot) === null

/** A key that cannot be one is the key of an item that does not exist. */
function encodeKey(bind: Parameter, value: unknown): Bind {
  try {
    return bind.encode(value)
  } catch (error) {
    throw error instanceof ServiceError ? forbidden() : error
  }
}

/** A statement always gives a row with the version; it may be the only thing there. */
const hasRows = (rows: readonly Row[]) => (rows[0]?.[PRESENT] ?? null) !== null

function listReply({ compiled, sortKey }: Prepared, rows: readonly Row[]): Rows {
  const found = hasRows(rows) ? rows : []
  const { cursorAt, limit, counts, write } = compiled
  const wantsCursor = cursorAt !== null
  const hasMore = wantsCursor && limit >= 0 && found.length > limit
  const shown = hasMore ? found.slice(0, limit) : found
  const last = shown.at(-1)
  const meta: Record<string, number | string | null> = {}
  for (const { name, at } of counts) meta[name] = Number(rows[0]?.[at] ?? 0)
  if (wantsCursor) {
    const isEnd = !hasMore || last === undefined
    meta['next_cursor'] = isEnd ? null : writeCursor(sortKey, last.slice(cursorAt, cursorAt + compiled.sortTerms))
  }
  return { rows: shown.map(write), meta: counts.length > 0 || wantsCursor ? meta : null }
}

function itemReply({ compiled }: Prepared, rows: readonly Row[]): Item {
  const [row] = rows
  if (row === undefined || !hasRows(rows)) throw forbidden()
  return { data: compiled.write(row), rowVersion: row[compiled.rowVersionAt ?? 0] ?? '' }
}
