import type { MetaValue } from '@tain/contract'
import { LRUCache } from 'lru-cache'
import type { Actor } from '../access/actor.ts'
import { authorizeRead, checkCursor } from '../access/authorize-read.ts'
import type { Authorized } from '../access/authorized.ts'
import { visibilityOf, type Access } from '../access/grants.ts'
import { bindQuery } from '../query/bind.ts'
import type { BoundQuery } from '../query/bound.ts'
import { checkCost, checkRuleCost, createSpend, type CostLimits } from '../query/cost.ts'
import type { Query } from '../query/query.ts'
import type { Collection, Schema } from '../schema/schema.ts'
import type { Compiled } from '../sql/compile.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { Sql } from '../sql/sql.ts'
import type { CursorShape } from './cursor.ts'
import { planRead, type ReadPlan } from './plan-read.ts'
import { collectionsOf, hasTimeInRules } from './row-cache.ts'
import { compileRow, type WriteRow } from './serialize.ts'

/** Everything in a request that determines the SQL text: all of it except the values. */
export interface ReadRequest {
  readonly collection: string
  readonly isSystem: boolean
  readonly query: Query
  /** A text that is equal for equal queries. */
  readonly queryKey: string
  readonly by: 'query' | 'key' | 'keys' | 'images'
  readonly wantsRowVersion: boolean
  readonly wantsKeys: boolean
  /** See ReadOptions. */
  readonly wantsPlaces?: boolean
  readonly meta: readonly MetaValue[]
  readonly countUpTo: number | null
  readonly cursor: CursorShape | null
}

/** A compiled request shape: the statement and a serializer for its rows. */
export interface CompiledRead extends Pick<
  ReadPlan,
  'cells' | 'rowVersion' | 'keysAt' | 'cursorAt' | 'placeAt' | 'keyRows' | 'isKeyShown' | 'counts' | 'isPlanEstimated'
> {
  readonly name: string
  readonly collection: Collection
  readonly statement: Compiled
  readonly write: WriteRow
  readonly limit: number
  readonly sortTerms: number
  readonly countUpTo: number | null
  /** See Item. */
  readonly isOfRowAlone: boolean
  /** Whether a rule compares with the current time. */
  readonly isOfNow: boolean
  /** See Statement. */
  readonly isSmall: boolean
  readonly mostBytes: number
  /** The collections that the rows come from; null: rows of this read are not cached. */
  readonly collections: readonly string[] | null
}

export interface CompileOptions extends Pick<Access, 'fits' | 'grants'> {
  readonly dialect: Dialect
  readonly limitDefault: number
  readonly version: Sql | null
  /** Maximum size of a response in bytes. */
  readonly responseSize: number
  readonly cost: CostLimits
  /** Maximum number of cached shapes. */
  readonly size: number
  /** Whether rows are cached. */
  readonly isCaching: boolean
}

export type CompileRead = (shape: ReadRequest, schema: Schema, actor: Actor) => CompiledRead

/** bind → authorize → plan → SQL text, once per shape, schema and grants. */
export function createCompileRead(options: CompileOptions): CompileRead {
  const cache = new LRUCache<string, CompiledRead>({
    max: options.size,
    maxSize: MOST_SIZE,
    maxEntrySize: LARGEST,
    sizeCalculation: (compiled, key) => key.length + sizeOf(compiled),
  })
  let recent = new WeakMap<Query, Recent>()
  let count = 0
  let newest = 0

  return (shape, schema, actor) => {
    // No new request uses an older schema, and statements compiled for it keep parts of it in memory.
    if (schema.generation > newest) {
      newest = schema.generation
      cache.clear()
      recent = new WeakMap()
    }
    const flags = flagsOf(shape)
    const last = recent.get(shape.query)
    if (last !== undefined && isSame(last, shape, flags, schema, actor)) return last.compiled
    const compiled = compile(shape, flags, schema, actor)
    // Short queries can expand to large statements; those are found only by their key, in the bounded cache.
    if (sizeOf(compiled) <= SMALL)
      recent.set(shape.query, {
        compiled,
        flags,
        collection: shape.collection,
        generation: schema.generation,
        grantKey: actor.grantKey,
      })
    return compiled
  }

  function compile(shape: ReadRequest, flags: string, schema: Schema, actor: Actor): CompiledRead {
    const key = `${schema.generation} ${actor.grantKey} ${flags} ${JSON.stringify(shape.collection)} ${shape.queryKey}`
    const known = cache.get(key)
    if (known !== undefined) return known
    const compiled = compileShape(shape, `r${count + 1}`, schema, actor, options)
    count += 1
    cache.set(key, compiled)
    return compiled
  }
}

export type AuthorizeShape = (shape: ReadRequest, schema: Schema, actor: Actor) => Authorized<BoundQuery>

/** bind → authorize: what a caller asks for, limited to what the caller may see. */
export const createAuthorizeShape =
  ({ limitDefault, cost, fits, grants }: Omit<CompileOptions, 'dialect'>): AuthorizeShape =>
  (shape, schema, actor) => {
    const access: Access = { actor, schema, fits, grants }
    const { query: asked, collection, isSystem } = shape
    const bound = bindQuery(asked, collection, schema, limitDefault, isSystem, visibilityOf(actor), createSpend(cost))
    checkCost(bound, cost, shape.by === 'key')
    const query = authorizeRead(bound, access)
    if (!actor.isAdmin) checkRuleCost(query, cost)
    if (shape.meta.includes('cursor') || (shape.cursor !== null && shape.cursor.isInclusive !== true))
      checkCursor(bound, access)
    return query
  }

function compileShape(
  shape: ReadRequest,
  name: string,
  schema: Schema,
  actor: Actor,
  options: CompileOptions,
): CompiledRead {
  const { dialect, version, responseSize } = options
  const query = createAuthorizeShape(options)(shape, schema, actor)
  const { by, wantsRowVersion, wantsKeys, wantsPlaces = false, meta, countUpTo, cursor } = shape
  const plan = planRead(
    query,
    { by, wantsRowVersion, wantsKeys, wantsPlaces, meta, countUpTo, cursor, version, cut: shape.query.cut ?? null },
    dialect,
  )
  const statement = dialect.compile(plan.statement)
  return {
    name,
    collection: query.collection,
    statement,
    isOfNow: hasTimeInRules(statement),
    collections: options.isCaching ? collectionsOf(query, statement, schema) : null,
    write: compileRow(plan.cells),
    cells: plan.cells,
    rowVersion: plan.rowVersion,
    keysAt: plan.keysAt,
    cursorAt: plan.cursorAt,
    placeAt: plan.placeAt,
    keyRows: plan.keyRows,
    isKeyShown: plan.isKeyShown,
    counts: plan.counts,
    isPlanEstimated: plan.isPlanEstimated,
    limit: query.limit,
    sortTerms: query.sort.length,
    countUpTo,
    isOfRowAlone: query.select.every(({ kind }) => ownKinds.has(kind)),
    isSmall: by === 'key' && meta.length === 0 && isFlat(query),
    mostBytes: responseSize,
  }
}

/**
 * What is selected from the row itself. The keys of lists count as that: items show them by default, and the tag of an item
 * is the version of its row.
 */
const ownKinds: ReadonlySet<BoundQuery['select'][number]['kind']> = new Set([
  'column',
  'constant',
  'function',
  'key',
  'keys',
])

/**
 * Approximate limits in characters: the whole cache, one cached entry, and one entry that a parsed query references.
 */
const MOST_SIZE = 24 * 1024 ** 2
const LARGEST = 1024 ** 2
const SMALL = 16_384
const SIZE_OF_PART = 100

const sizeOf = ({ statement: { text, binds }, cells }: CompiledRead): number =>
  text.length + SIZE_OF_PART * (binds.length + cells.length)

/** Only columns of the row itself, visible in every row. */
const isFlat = ({ select, filter, search, aggregate, marked }: BoundQuery): boolean =>
  filter === null &&
  search === null &&
  aggregate === null &&
  marked === 'row' &&
  select.every(({ kind, mask }) => (kind === 'column' || kind === 'constant' || kind === 'key') && mask === null)

/** The last compilation of a parsed query: the same URL mostly comes from callers with the same permission set. */
interface Recent {
  readonly compiled: CompiledRead
  readonly flags: string
  readonly collection: string
  readonly generation: number
  readonly grantKey: string
}

const isSame = (
  last: Recent,
  { collection }: ReadRequest,
  flags: string,
  { generation }: Schema,
  { grantKey }: Actor,
) =>
  last.collection === collection && last.generation === generation && last.flags === flags && last.grantKey === grantKey

/** Everything in a shape except the query and the collection. */
function flagsOf({
  isSystem,
  by,
  wantsRowVersion,
  wantsKeys,
  wantsPlaces,
  meta,
  countUpTo,
  cursor,
}: ReadRequest): string {
  const flags = `${by}${(wantsRowVersion ? 1 : 0) + (wantsKeys ? 2 : 0) + (isSystem ? 4 : 0) + (wantsPlaces === true ? 8 : 0)}`
  if (meta.length === 0 && cursor === null) return flags
  return `${flags} ${meta.join(',')} ${countUpTo ?? ''} ${cursor === null ? '' : `${cursor.isBackward ? '<' : '>'}${cursor.isInclusive === true ? '=' : ''}${cursor.nulls.map(Number).join('')}`}`
}
