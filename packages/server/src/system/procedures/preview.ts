import { forbidden, invalidPayload, ServiceError, writtenName } from '@tain/contract'
import type { Output } from '@tain/contract/schemas'
import type { Actor } from '../../access/actor.ts'
import { changedPermissions } from '../../access/changed-permissions.ts'
import type { Action } from '../../access/permissions.ts'
import { readKeys } from '../../engine/items/read-keys.ts'
import type { Read } from '../../engine/read.ts'
import type { Procedure } from '../../procedure.ts'
import { queryKeyOf } from '../../query/keyed-query.ts'
import { parseQuery } from '../../query/parse-query.ts'
import { findCollection, type Collection } from '../../schema/schema.ts'
import { plannedChange, previewRequest } from './preview-request.ts'
import { accessTo } from './self.ts'
import type { SystemServices } from './system-services.ts'

type Preview = Output<'previewPermissions'>
type Effect = Preview['before']

/** Rows are compared one by one up to this many, in the order of their keys. */
const MOST_EXAMINED = 1000
const CELL = 200

/** The effect of permissions that are not saved. Nothing is written: they exist only in the actors of this call. */
export const previewPermissions =
  (services: SystemServices): Procedure<'previewPermissions'> =>
  async (call) => {
    const { engine, actorOfUser } = services
    const caller = await engine.renew(call.actor)
    if (!caller.isAdmin) throw forbidden()
    const { user, collection: name, action, changes, countUpTo, limit } = previewRequest(call.input.request)
    const schema = engine.schema()
    const collection = findCollection(schema, name) ?? findCollection(schema, name, true)
    if (collection === undefined) throw invalidPayload(`There is no collection "${name}"`)
    const planned = changes.map((change) => plannedChange(change, schema))
    const now = await actorOfUser(user, null)
    const then = await actorOfUser(user, null, (model) => changedPermissions(model, planned))
    if (now === null || then === null) throw invalidPayload('There is no active user with this key')
    const scene = { collection, action, countUpTo }
    const before = await effectFor(now, scene, services)
    const after = await effectFor(then, scene, services)
    const rows = await comparedRows(before.keys, after.keys, { collection, limit, caller }, services)
    return { before: before.effect, after: after.effect, ...rows }
  }

interface Scene {
  readonly collection: Collection
  readonly action: Action
  readonly countUpTo: number
}

/** The same actor, except that it sees exactly the rows that the action is allowed for. */
function readerOf(actor: Actor, collection: Collection, action: Action): Actor {
  const isTarget = ({ name, isSystem }: Pick<Collection, 'name' | 'isSystem'>) =>
    name === collection.name && isSystem === collection.isSystem
  return {
    ...actor,
    grantKey: JSON.stringify(['preview', collection.name, collection.isSystem, action, actor.grantKey]),
    permissionsFor: (of, asked) =>
      isTarget(of)
        ? actor.permissionsFor(of, action).map((permission) => ({ ...permission, fields: 'all' }))
        : actor.permissionsFor(of, asked),
    may: (asked, of) => actor.may(isTarget(of) ? action : asked, of),
    fieldsFor: (of, asked) => (isTarget(of) ? 'all' : actor.fieldsFor(of, asked)),
    renew: async (version) => readerOf(await actor.renew(version), collection, action),
  }
}

interface Seen {
  readonly effect: Effect
  /** Keys of the first rows, in their order; null: the rows have no key. */
  readonly keys: readonly string[] | null
}

async function effectFor(actor: Actor, scene: Scene, services: SystemServices): Promise<Seen> {
  const { collection, action, countUpTo } = scene
  const fields = actor.fieldsFor(collection, action)
  const common = {
    access: accessTo(action, collection, actor),
    fields: fields === 'all' ? ['*'] : [...fields],
  }
  // New rows are decided by their values, not by rows that exist.
  if (action === 'create' || common.access === 'none')
    return { effect: { ...common, count: 0, is_capped: false }, keys: [] }
  const reader = readerOf(actor, collection, action)
  const { rows, meta } = await services.engine.list(reader, {
    ...readOf(collection, services, { limit: MOST_EXAMINED }),
    meta: ['total_count'],
    countUpTo,
  })
  const isCapped = Array.isArray(meta?.['capped_counts']) && meta['capped_counts'].length > 0
  return {
    effect: { ...common, count: Number(meta?.['total_count'] ?? 0), is_capped: isCapped },
    keys: collection.key.length === 0 ? null : rows,
  }
}

function readOf(collection: Collection, { limits }: SystemServices, more: object): Read {
  const names = collection.key.map(({ name }) => writtenName(name))
  const chosen = names.length === 0 ? {} : { fields: names, sort: names }
  const { query, values } = parseQuery({ ...chosen, ...more }, { ...limits, limitMax: null })
  const { name, table, isSystem } = collection
  const address = { collection: isSystem ? table : name, isSystem }
  return { ...address, query, queryKey: queryKeyOf(query), values, meta: [], cursor: null, key: null }
}

interface Compared {
  readonly collection: Collection
  readonly limit: number
  readonly caller: Actor
}

type ComparedRows = Pick<Preview, 'examined' | 'gained' | 'lost'>

/**
 * Rows that appear or disappear, among the first ones of the collection: of these, every actor sees its part within as
 * many rows.
 */
async function comparedRows(
  before: readonly string[] | null,
  after: readonly string[] | null,
  { collection, limit, caller }: Compared,
  services: SystemServices,
): Promise<ComparedRows> {
  if (before === null || after === null) return { examined: 0, gained: [], lost: [] }
  const all = (await services.engine.list(caller, readOf(collection, services, { limit: MOST_EXAMINED }))).rows
  const [old, fresh] = [new Set(before), new Set(after)]
  const gained = all.filter((key) => fresh.has(key) && !old.has(key))
  const lost = all.filter((key) => old.has(key) && !fresh.has(key))
  return {
    examined: all.length,
    gained: await shown(gained.slice(0, limit), collection, caller, services),
    lost: await shown(lost.slice(0, limit), collection, caller, services),
  }
}

async function shown(
  keys: readonly string[],
  collection: Collection,
  caller: Actor,
  services: SystemServices,
): Promise<Record<string, unknown>[]> {
  if (keys.length === 0) return []
  const wanted = keys.map((text) => {
    const parts = JSON.parse(text) as Readonly<Record<string, unknown>>
    return collection.key.length === 1 ? Object.values(parts)[0] : parts
  })
  const read = readOf(collection, services, { fields: [...collection.columns.keys()].map(writtenName), cut: CELL })
  try {
    const { rows } = await readKeys(services.engine, caller, read, wanted)
    return rows.map((row) => JSON.parse(row) as Record<string, unknown>)
  } catch (error) {
    // A row has just been deleted.
    if (error instanceof ServiceError && error.code === 'FORBIDDEN') return []
    throw error
  }
}
