import type { Actor } from '../access/actor.ts'
import { isRuleConstant } from '../lib/parameter.ts'
import type { BoundQuery } from '../query/bound.ts'
import { isTime } from '../query/variables.ts'
import type { SchemaCache } from '../schema/schema-cache.ts'
import type { Collection, Schema } from '../schema/schema.ts'
import { isPlaceholder } from '../sql/bind.ts'
import type { Dialect } from '../sql/dialect.ts'
import { DatabaseError, type Driver, type Row } from '../sql/driver.ts'
import type { DatabaseFault } from '../sql/faults.ts'
import { isCurrent, renewed } from '../store/versions.ts'
import type { AuthorizeShape, CompiledRead, CompileRead } from './compile-read.ts'
import { currentSchema } from './current-schema.ts'
import { faultToError } from './faults.ts'
import { fixedValuesOf, type FixedValue } from './fixed-values.ts'
import { VERSION, type KeyRows } from './plan-read.ts'
import { hasRows, ownValues, prepareRead, shapeOf, statementFor, type Prepared, type Read } from './read.ts'
import { readSetOf } from './row-cache.ts'
import { imageRow, keyRow, recordsetOf, shownKey, spelledKey } from './watched-sets.ts'

/** What a read shows to a caller, under one schema and one version of the permissions. */
export interface View {
  readonly actor: Actor
  readonly schema: Schema
  readonly read: Read
  readonly collection: Collection
  /** Equal for views that show the same: the statement and its values. */
  readonly fingerprint: string
  /** The caller may read every row, and the read leaves none out. */
  readonly showsEveryRow: boolean
  /** The collections whose rows the read shows or tests. */
  readonly readSet: readonly string[]
  /** What is shown depends on the time. */
  readonly isOfNow: boolean
  /** The rows whose key the caller may read, among those that are shown. */
  readonly keyRows: KeyRows
  /** The names under which rows show the key; null: they do not. */
  readonly keyNames: readonly string[] | null
  /** Columns that have one of a few values in every row that is shown. */
  readonly fixedValues: readonly FixedValue[]
}

/** A row that is there now and shown, by its place among the keys that were asked for. */
export interface WatchedRow {
  readonly place: number
  readonly json: string
  /** Whether the caller may read its key, which need not be part of the JSON. */
  readonly isKeyShown: boolean
}

/** Images by their places: those that would be shown if they were rows, and those of which this cannot be said. */
export interface JudgedImages {
  readonly shown: ReadonlySet<number>
  /** Those of the first whose key the caller may read. */
  readonly keys: ReadonlySet<number>
  readonly unknown: ReadonlySet<number>
}

/** `outdated`: there are newer versions than those of the view. `too-large`: fewer rows have to be asked for. */
export type WatchReply<T> = T | 'outdated' | 'too-large'

/** Reads for those who are told of changes. They ask the primary, and give no rows under other versions than the view's. */
export interface Watch {
  /** The schema and permission versions as the database has them now. */
  readonly stamp: () => Promise<string>
  /** The caller under these versions, or newer ones; throws if the credentials are no longer valid. */
  readonly renew: (actor: Actor, stamp: string) => Promise<Actor>
  /** Refuses as the read itself is refused. */
  readonly view: (actor: Actor, read: Read) => View
  /** Whether a view has these versions. */
  readonly isCurrent: (view: View, stamp: string) => boolean
  /** The rows of these keys that are shown now, in the order of the keys. */
  readonly rows: (view: View, keys: readonly string[]) => Promise<WatchReply<readonly WatchedRow[]>>
  readonly images: (view: View, images: readonly string[]) => Promise<WatchReply<JudgedImages>>
  /** A key as addresses have it, in the spelling of the log. */
  readonly spelledKey: (key: string, collection: Collection) => string
  /** A key of the log as events show it, as JSON. */
  readonly shownKey: (key: string, collection: Collection) => string
}

export interface WatchServices {
  readonly driver: Driver
  readonly dialect: Dialect
  readonly schemaCache: SchemaCache
  readonly compileRead: CompileRead
  readonly authorizeShape: AuthorizeShape
  /** Whether statements return the schema version and the permission version. */
  readonly hasVersions: boolean
}

export function createWatch(services: WatchServices): Watch {
  const { dialect, schemaCache, compileRead } = services
  const factsOf = createFacts(services)
  const ask = createAsk(services)
  return {
    stamp: () => schemaCache.stamp(),
    renew: async (actor, stamp) => (await renewed(stamp, currentSchema(schemaCache), actor, schemaCache)).actor,
    view: (actor, read) => {
      const schema = currentSchema(schemaCache)
      const asked: Read = { ...read, keys: '[]', wantsPlaces: true }
      const prepared = prepareRead(actor, asked, schema, compileRead)
      const { query, readSet, isOfNow, keyNames } = factsOf(prepared.compiled, asked, schema, actor)
      return {
        actor,
        schema,
        read,
        collection: query.collection,
        fingerprint: fingerprintOf(prepared, asked),
        showsEveryRow: query.filter === null && query.search === null,
        readSet,
        isOfNow: isOfNow || prepared.isOfNow,
        keyRows: prepared.compiled.keyRows,
        keyNames,
        fixedValues: fixedValuesOf(query.filter, ownValues(read, actor)),
      }
    },
    isCurrent: ({ schema, actor }, stamp) => !services.hasVersions || isCurrent(stamp, schema, actor),
    async rows(view, keys) {
      const { set, placeOf } = recordsetOf(keys.map((key) => keyRow(key, view.collection, dialect)))
      const found = await ask(view, { ...view.read, keys: set, wantsPlaces: true })
      if (typeof found === 'string') return found
      const { rows, compiled } = found
      return rows.map((row) => ({
        place: placeOf(placeIn(row, compiled)),
        json: compiled.write(row),
        isKeyShown: compiled.isKeyShown(row),
      }))
    },
    async images(view, images) {
      const rows = images.map((image) => imageRow(image, view.collection, dialect))
      const everywhere = new Set(images.keys())
      if (rows.every((row) => row === null)) return { ...noImages, unknown: everywhere }
      const { set, placeOf } = recordsetOf(rows)
      try {
        const found = await ask(view, { ...view.read, images: set })
        if (typeof found === 'string') return found
        return judgedOf(found, rows, placeOf)
      } catch (error) {
        // An image of another time need not be a row that the table could have now.
        if (error instanceof DatabaseError && misfits.has(error.fault)) return { ...noImages, unknown: everywhere }
        throw error instanceof DatabaseError ? faultToError(error, false) : error
      }
    },
    spelledKey: (key, collection) => spelledKey(key, collection, dialect),
    shownKey: (key, collection) => shownKey(key, collection, dialect),
  }
}

/** Which of the images were found, by their places. */
function judgedOf(
  { rows, compiled }: Found,
  images: readonly (string | null)[],
  placeOf: (place: number) => number,
): JudgedImages {
  const placesOf = (some: readonly Row[]) => new Set(some.map((row) => placeOf(placeIn(row, compiled))))
  return {
    shown: placesOf(rows),
    keys: placesOf(rows.filter(compiled.isKeyShown)),
    unknown: new Set(images.flatMap((image, place) => (image === null ? [place] : []))),
  }
}

const noImages = { shown: new Set<number>(), keys: new Set<number>() }

const misfits: ReadonlySet<DatabaseFault> = new Set([
  'invalid-value',
  'out-of-range',
  'not-null',
  'check',
  'too-long',
  'raised',
  'computation',
] as const)

const placeIn = (row: Row, { placeAt }: CompiledRead): number => Number(row[placeAt ?? 0])

interface Found {
  readonly rows: readonly Row[]
  readonly compiled: CompiledRead
}

function createAsk({ driver, schemaCache, compileRead, hasVersions }: WatchServices) {
  return async ({ actor, schema }: View, read: Read): Promise<WatchReply<Found>> => {
    const prepared: Prepared = prepareRead(actor, read, schema, compileRead)
    try {
      const rows = await driver.query(statementFor(prepared))
      if (hasVersions && !isCurrent(rows[0]?.[VERSION], schema, actor)) return 'outdated'
      return { rows: hasRows(rows) ? rows : [], compiled: prepared.compiled }
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error
      if (error.fault === 'too-large') return 'too-large'
      if (error.fault !== 'schema-changed') throw read.images === undefined ? faultToError(error, false) : error
      await schemaCache.reload()
      return 'outdated'
    }
  }
}

interface Facts {
  readonly query: BoundQuery
  readonly readSet: readonly string[]
  readonly isOfNow: boolean
  readonly keyNames: readonly string[] | null
}

/** What is known of a compiled read, found once for all who share it. */
function createFacts({ authorizeShape }: WatchServices) {
  const known = new WeakMap<CompiledRead, Facts>()
  return (compiled: CompiledRead, read: Read, schema: Schema, actor: Actor): Facts => {
    const facts = known.get(compiled)
    if (facts !== undefined) return facts
    const query = authorizeShape(shapeOf(read, null), schema, actor)
    const readSet = readSetOf(query, schema)
    const made = {
      query,
      readSet: readSet.map(({ name }) => name),
      keyNames: keyNamesIn(query),
      // What views show changes with tables that are not known here.
      isOfNow: readSet.some(({ kind }) => kind !== 'table'),
    }
    known.set(compiled, made)
    return made
  }
}

function keyNamesIn({ collection, select }: BoundQuery): readonly string[] | null {
  const names = collection.key.flatMap((field) => {
    const shown = select.find((each) => each.kind === 'column' && each.field === field && each.form === null)
    return shown === undefined ? [] : [shown.as]
  })
  return names.length === collection.key.length ? names : null
}

/** The statement and its values. The time is none of them: it is another one in each read. */
function fingerprintOf({ compiled: { statement, keyRows }, values }: Prepared, read: Read): string {
  const fixed = statement.binds.map((bind, index) => {
    if (!isPlaceholder(bind)) return bind
    const { parameter } = bind
    const held = isRuleConstant(parameter) ? parameter.constant : read.values[parameter]
    return isTime(held) ? held : values[index]
  })
  return JSON.stringify([read.collection, read.queryKey, statement.text, keyRows, fixed], (_, value: unknown) =>
    typeof value === 'bigint' ? { bigint: String(value) } : value,
  )
}
