import { MASK, ServiceError } from '@tain/contract'
import { administrator, type Actor } from '../../access/actor.ts'
import type { PermissionModel } from '../../access/permissions.ts'
import type { WriteNode, WriteTree } from '../../query/bound-write.ts'
import type { Observe } from '../../observe.ts'
import type { Payload } from '../../query/mutation.ts'
import { queryKeyOf } from '../../query/keyed-query.ts'
import { parseQuery } from '../../query/parse-query.ts'
import type { Collection, ColumnField, Schema } from '../../schema/schema.ts'
import { run, runWith, type Database } from '../../sql/database.ts'
import type { Transaction } from '../../sql/driver.ts'
import { isTrue } from '../../sql/service/run-service-statement.ts'
import type { CompileRead } from '../compile-read.ts'
import { VERSION } from '../plan-read.ts'
import { hasRows, listReply, prepareRead, statementFor, type Read } from '../read.ts'
import { readPermissionModel } from '../../store/permission-store.ts'
import { isCurrent } from '../../store/versions.ts'
import type { ChangedRow } from '../../changes/change.ts'
import { StaleVersionError } from './stale-version.ts'

/** Checks for writes to one system collection, in addition to those of its columns. */
export interface Guard {
  /** Takes out of texts what no column could store, by the name of the column. */
  readonly clean?: Readonly<Record<string, (text: string) => string>>
  /** Gets rows to create or update before they are validated. Can refuse rows, clean values and add missing ones. */
  readonly prepare?: (nodes: readonly WriteNode[], context: GuardContext) => Promise<void>
  /** Gets rows to create or update, before secrets are hashed. Can refuse rows or set values. */
  readonly before?: (nodes: readonly WriteNode[], context: GuardContext) => Promise<void>
  /** Gets the keys of rows to delete. */
  readonly remove?: (keys: readonly string[], context: GuardContext) => Promise<void>
  /** Gets the written rows, after everything else of the same request is written. */
  readonly after?: (changes: readonly ChangedRow[], context: GuardContext) => Promise<void>
  /** Columns that define permissions. Deleting a row always changes permissions; creating one only with `all`. */
  readonly permissionFields?: 'all' | ReadonlySet<string>
}

export interface Guards {
  /** By the declared name of the collection. */
  readonly byName: ReadonlyMap<string, Guard>
  /** Called after a write that can affect permissions. */
  readonly checkPermissions: (
    before: PermissionModel,
    changes: readonly ChangedRow[],
    context: GuardContext,
  ) => Promise<void>
}

/** Context of a guard, inside the transaction of the write. Reads use the permissions of the service itself. */
export interface GuardContext {
  readonly actor: Actor
  readonly schema: Schema
  /** Rows of a system collection, complete except for secrets. */
  readonly rows: (collection: string, query: Payload) => Promise<readonly Payload[]>
  /** Whether the caller can see an item. */
  readonly canSee: (collection: Collection, key: readonly string[]) => Promise<boolean>
  readonly permissionModel: () => Promise<PermissionModel>
  readonly hasAdministrator: () => Promise<boolean>
  readonly observe: Observe
  /** Ends the sessions of users. `keepsOwn`: except the current session of the caller. */
  readonly endSessions: (users: readonly string[], keepsOwn: boolean) => Promise<void>
  /** Removes the login delays that failed logins of users have caused. */
  readonly clearLoginFailures: (users: readonly string[]) => Promise<void>
  /** Suspends the users of roles that are about to be deleted; returns the keys of these users. */
  readonly suspendUsers: (roles: readonly string[]) => Promise<readonly string[]>
  /** Runs once the write is committed, before its caller is answered. A crash may come first, so it must not be needed. */
  readonly afterCommit: (work: () => void | Promise<void>) => void
  /** Shows values in the response to this write that are never shown again. They are in columns of that name. */
  readonly reveal: (key: string, values: Readonly<Record<string, string>>) => void
}

/** The guards of one transaction. */
export interface Watch {
  readonly clean: (field: ColumnField, value: unknown) => unknown
  readonly prepare: (tree: WriteTree) => Promise<void>
  readonly before: (tree: WriteTree) => Promise<void>
  readonly remove: (collection: Collection, keys: readonly (readonly string[])[]) => Promise<void>
  /** Returns the changes and those that followed from them. */
  readonly after: (changes: readonly ChangedRow[]) => Promise<readonly ChangedRow[]>
  /** The rows of a response with the values that it alone shows; null: there are none. */
  readonly revealed: (keys: readonly (readonly string[])[], rows: readonly string[]) => readonly string[] | null
  /** Must run last: it makes the old permissions stale. Returns the new permission version; null if unchanged. */
  readonly finish: () => Promise<number | null>
}

export interface Guarding {
  readonly isGuarded: (collection: Collection) => boolean
  readonly watch: (actor: Actor, schema: Schema, transaction: Transaction) => Watch
  /** Runs what waits for the commit of a transaction. */
  readonly committed: (transaction: Transaction) => Promise<void>
}

const LIMITS = { limitDefault: -1, limitMax: null, depth: 10, jsonDepth: 10, listLength: Number.MAX_SAFE_INTEGER }

const USERS = 'service_users'

const isWritten = ({ action }: WriteNode) => action !== 'link'

export function createGuarding(
  database: Database,
  systemSchema: string,
  { byName, checkPermissions }: Guards,
  compileRead: CompileRead,
  observe: Observe,
): Guarding {
  const guardOf = ({ isSystem, table }: Collection) => (isSystem ? byName.get(table) : undefined)
  const { afterCommit, committed } = createCommitted()

  const watch: Guarding['watch'] = (actor, schema, transaction) => {
    const followed: ChangedRow[] = []
    const shown: Scope['shown'] = new Map()
    const scope = { actor, schema, transaction, followed, shown, observe, afterCommit: afterCommit(transaction) }
    const context = createContext(database, systemSchema, compileRead, scope)
    let before: PermissionModel | null = null
    let isChanged = false

    /** Permission changes run one at a time, each under the newest permissions. */
    const lock = async () => {
      if (before !== null) return
      const [row] = await run(database.guards.lockPermissions(systemSchema), transaction, database.dialect)
      const stamp = row?.[0] ?? ''
      if (!isCurrent(stamp, schema, actor)) throw new StaleVersionError(stamp)
      before = await context.permissionModel()
    }

    return {
      clean: cleaning(schema, byName),
      async prepare({ nodes }) {
        for (const [guard, own] of byGuard(nodes.filter(isWritten), guardOf)) await guard.prepare?.(own, context)
      },
      async before({ nodes, removals }) {
        const guarded = byGuard(nodes.filter(isWritten), guardOf)
        const isLeft = removals.some(({ list }) => guardOf(list.collection)?.permissionFields !== undefined)
        if (isLeft || nodes.some((node) => affectsPermissions(node, guardOf(node.collection)))) await lock()
        for (const [guard, own] of guarded) await guard.before?.(own, context)
      },
      async remove(collection, keys) {
        const guard = guardOf(collection)
        if (guard?.permissionFields !== undefined) await lock()
        await guard?.remove?.(
          keys.map(([key = '']) => key),
          context,
        )
      },
      async after(changes) {
        for (const [guard, own] of byGuard(changes, guardOf)) await guard.after?.(own, context)
        if (before !== null) await checkPermissions(before, changes, context)
        isChanged ||= changes.some((change) => changesPermissions(change, guardOf(change.collection)))
        return [...changes, ...followed.splice(0)]
      },
      revealed: (keys, rows) => revealedIn(shown, keys, rows),
      async finish() {
        if (!isChanged) return null
        const [row] = await run(database.serviceTables.bumpPermissions(systemSchema), transaction, database.dialect)
        return Number(row?.[0])
      },
    }
  }

  return { isGuarded: (collection) => guardOf(collection) !== undefined, watch, committed }
}

/** What waits for the commits of transactions. */
function createCommitted() {
  const waiting = new WeakMap<Transaction, (() => void | Promise<void>)[]>()
  return {
    afterCommit: (transaction: Transaction) => (work: () => void | Promise<void>) => {
      waiting.set(transaction, [...(waiting.get(transaction) ?? []), work])
    },
    committed: async (transaction: Transaction) => {
      const works = new Set(waiting.get(transaction))
      waiting.delete(transaction)
      for (const work of works) await work()
    },
  }
}

/** Rows come in the order of their keys. Only columns that the response shows are filled in. */
function revealedIn(
  shown: ReadonlyMap<string, Readonly<Record<string, string>>>,
  keys: readonly (readonly string[])[],
  rows: readonly string[],
): readonly string[] | null {
  if (shown.size === 0 || rows.length !== keys.length) return null
  return rows.map((row, index) => {
    const values = shown.get(keys[index]?.[0] ?? '')
    if (values === undefined) return row
    const parsed = JSON.parse(row) as Payload
    const known = Object.entries(values).filter(([name]) => parsed[name] === MASK)
    return JSON.stringify({ ...parsed, ...Object.fromEntries(known) })
  })
}

const cleaners = new WeakMap<Schema, ReadonlyMap<ColumnField, (text: string) => string>>()

function cleaning(schema: Schema, byName: Guards['byName']): Watch['clean'] {
  const known = cleaners.get(schema) ?? new Map(cleanersIn(schema, byName))
  cleaners.set(schema, known)
  return (field, value) => (typeof value === 'string' ? (known.get(field)?.(value) ?? value) : value)
}

function* cleanersIn({ system }: Schema, byName: Guards['byName']): Generator<[ColumnField, (text: string) => string]> {
  for (const [name, { clean = {} }] of byName)
    for (const [column, work] of Object.entries(clean)) {
      const field = system.get(name)?.columns.get(column)
      if (field !== undefined) yield [field, work]
    }
}

/** Whether a write may change permissions. */
function affectsPermissions({ action, values }: WriteNode, guard: Guard | undefined): boolean {
  const { permissionFields } = guard ?? {}
  if (permissionFields === undefined || action === 'link') return false
  return (
    permissionFields === 'all' || action !== 'update' || [...values.keys()].some((name) => permissionFields.has(name))
  )
}

/** Whether a change has changed permissions. */
function changesPermissions({ action, delta }: ChangedRow, guard: Guard | undefined): boolean {
  const { permissionFields } = guard ?? {}
  if (permissionFields === undefined || permissionFields === 'all') return permissionFields === 'all'
  if (action === 'update')
    return Object.keys(JSON.parse(delta ?? '{}') as object).some((name) => permissionFields.has(name))
  return action === 'delete'
}

function byGuard<T extends { readonly collection: Collection }>(
  entries: readonly T[],
  guardOf: (collection: Collection) => Guard | undefined,
): Map<Guard, T[]> {
  const groups = new Map<Guard, T[]>()
  for (const entry of entries) {
    const guard = guardOf(entry.collection)
    if (guard === undefined) continue
    const group = groups.get(guard)
    if (group === undefined) groups.set(guard, [entry])
    else group.push(entry)
  }
  return groups
}

interface Scope extends Pick<GuardContext, 'observe' | 'afterCommit'> {
  readonly actor: Actor
  readonly schema: Schema
  readonly transaction: Transaction
  /** Collects changes that follow from other changes. */
  readonly followed: ChangedRow[]
  /** Collects values that the response alone shows, by the key of their row. */
  readonly shown: Map<string, Readonly<Record<string, string>>>
}

function createContext(database: Database, systemSchema: string, compileRead: CompileRead, scope: Scope): GuardContext {
  const { actor, schema, transaction, followed, shown, observe, afterCommit } = scope
  const { dialect, guards, identity } = database
  return {
    actor,
    schema,
    observe,
    afterCommit,
    reveal: (key, values) => void shown.set(key, values),
    ...readsOf(compileRead, scope),
    permissionModel: () => readPermissionModel(database, systemSchema, transaction),
    hasAdministrator: async () => {
      const [row] = await run(identity.hasAdministrator(systemSchema), transaction, dialect)
      return isTrue(row?.[0])
    },
    endSessions: async (users, keepsOwn) => {
      if (users.length === 0) return
      const kept = keepsOwn ? (actor.session ?? null) : null
      await runWith(guards.endSessions(systemSchema), [JSON.stringify(users), kept], transaction, dialect)
    },
    clearLoginFailures: async (users) => {
      if (users.length === 0) return
      await runWith(guards.clearLoginFailures(systemSchema), [JSON.stringify(users)], transaction, dialect)
    },
    suspendUsers: async (roles) => {
      const rows = await runWith(guards.suspendUsers(systemSchema), [JSON.stringify(roles)], transaction, dialect)
      const collection = schema.system.get(USERS)
      const delta = '{"status":"suspended","role":null}'
      for (const [id] of rows)
        if (collection !== undefined)
          followed.push({ action: 'update', collection, key: [id ?? ''], before: null, after: null, delta })
      return rows.map(([id]) => id ?? '')
    },
  }
}

/** Reads inside the transaction. */
function readsOf(
  compileRead: CompileRead,
  { actor, schema, transaction }: Scope,
): Pick<GuardContext, 'rows' | 'canSee'> {
  const ask = async (reader: Actor, read: Read) => {
    const prepared = prepareRead(reader, read, schema, compileRead)
    const rows = await transaction.query(statementFor(prepared))
    const stamp = rows[0]?.[VERSION] ?? ''
    if (!isCurrent(stamp, schema, reader)) throw new StaleVersionError(stamp)
    return { prepared, rows }
  }
  return {
    rows: async (collection, query) => {
      const { prepared, rows } = await ask(administrator, readOf(collection, true, query, null))
      return listReply(prepared, rows).rows.map((text) => JSON.parse(text) as Payload)
    },
    canSee: async ({ name, table, isSystem }, key) => {
      try {
        const read = readOf(isSystem ? table : name, isSystem, {}, key)
        // The query selects no field, so every read permission counts, regardless of its fields.
        const query = { ...read.query, select: [] }
        const { rows } = await ask(actor, { ...read, query, queryKey: queryKeyOf(query), wantsKeys: true })
        return hasRows(rows)
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'FORBIDDEN') return false
        throw error
      }
    },
  }
}

function readOf(collection: string, isSystem: boolean, wire: Payload, key: Read['key']): Read {
  const { query, values } = parseQuery(wire, LIMITS)
  return { collection, isSystem, query, queryKey: queryKeyOf(query), values, meta: [], cursor: null, key }
}
