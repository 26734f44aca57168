import { forbidden, ServiceError, writtenName } from '@tain/contract'
import { roles, users } from '@tain/contract/collections'
import type { Output } from '@tain/contract/schemas'
import { administrator, type Actor } from '../../access/actor.ts'
import { isOpen } from '../../access/escalation.ts'
import { actions, type Action, type Permission } from '../../access/permissions.ts'
import { lackOfSecondFactor } from '../../auth/authenticate.ts'
import type { Read } from '../../engine/read.ts'
import type { Procedure, Result } from '../../procedure.ts'
import { keyFromText } from '../../query/keys.ts'
import { parseQuery, type ParsedQuery } from '../../query/parse-query.ts'
import type { Selection } from '../../query/query.ts'
import { findCollection, type Collection, type Schema } from '../../schema/schema.ts'
import type { SystemServices } from './system-services.ts'

export function userOf({ user }: Actor): string {
  if (user === null) throw new ServiceError('INVALID_CREDENTIALS')
  return user
}

type OwnUserQuery = Pick<ParsedQuery, 'query' | 'values'>

const readOf = (collection: string, { query, values }: OwnUserQuery, key: Read['key']): Read => ({
  collection,
  isSystem: true,
  query,
  queryKey: JSON.stringify(query),
  values,
  meta: [],
  cursor: null,
  key,
})

const isForbidden = (error: unknown) => error instanceof ServiceError && error.code === 'FORBIDDEN'

/** The caller's own row, limited to readable fields; at least its key. */
export const readMe =
  (services: SystemServices): Procedure<'readMe'> =>
  async ({ actor, selection }) =>
    ownRow(actor, userOf(actor), selection(), services)

export async function ownRow(
  actor: Actor,
  user: string,
  input: OwnUserQuery,
  { engine, limits }: Pick<SystemServices, 'engine' | 'limits'>,
): Promise<Result<'readMe'>> {
  const shape = actor.lacksSecondFactor ? ownColumns(input, actor, engine.schema()) : input
  try {
    return await engine.item(actor, readOf(users.name, shape, [user]))
  } catch (error) {
    if (!isForbidden(error)) throw error
    // If the caller can read its row at all, the refusal of the requested field stands.
    const isVisible = await engine.item(actor, readOf(users.name, parseQuery({ fields: ['id'] }, limits), [user])).then(
      () => true,
      (refusal: unknown) => {
        if (isForbidden(refusal)) return false
        throw refusal
      },
    )
    if (isVisible) throw error
    return { data: JSON.stringify({ id: user }), rowVersion: null, isOfRowAlone: true }
  }
}

/** Before a required second factor has been set up, only the columns of the row itself can be read, no relations. */
function ownColumns({ query, values }: OwnUserQuery, actor: Actor, schema: Schema): OwnUserQuery {
  const { filter, search, sort, aggregate } = query
  if (filter !== null || search !== null || sort !== null || aggregate !== null) throw lackOfSecondFactor()
  const collection = findCollection(schema, users.name, true)
  const readable = collection === undefined ? new Set<string>() : actor.fieldsFor(collection, 'read')
  const columns = Object.keys(users.columns).filter((name) => readable === 'all' || readable.has(name))
  const own = query.select.flatMap((selection): Selection[] => {
    if (selection.kind === 'all' && selection.children === null && selection.aliased.length === 0)
      return columns.map((name) => ({ kind: 'field', name, as: name, query: null }))
    const isOwn =
      selection.kind === 'constant' || (selection.kind === 'field' && Object.hasOwn(users.columns, selection.name))
    if (!isOwn) throw lackOfSecondFactor()
    return [selection]
  })
  return { query: { ...query, select: own, deep: {} }, values }
}

/** Needs no permission: it records the caller's own current page. */
export const trackPage =
  ({ lastPages }: SystemServices): Procedure<'trackPage'> =>
  async (call) =>
    lastPages.page(userOf(call.actor), call.input.last_page)

/**
 * The caller's roles from the root of the tree down, limited to readable fields; at least their keys. Rows are JSON
 * texts.
 */
export const myRoles =
  ({ engine }: SystemServices): Procedure<'myRoles'> =>
  async ({ actor: caller, selection }) => {
    const input = selection()
    const actor = await engine.renew(caller)
    if (actor.user === null) throw forbidden()
    if (actor.roles.length === 0) return []
    const values = [...input.values, actor.roles]
    const isOwn = {
      kind: 'test',
      field: { name: 'id', fn: null },
      operator: '_in',
      operand: values.length - 1,
    } as const
    const { filter } = input.query
    const query = {
      ...input.query,
      limit: -1,
      filter: filter === null ? isOwn : ({ kind: 'and', parts: [filter, isOwn] } as const),
    }
    try {
      return (await engine.list(actor, readOf(roles.name, { query, values }, null))).rows
    } catch (error) {
      const collection = findCollection(engine.schema(), roles.name, true)
      if (!isForbidden(error) || (collection !== undefined && actor.may('read', collection))) throw error
      return actor.roles.map((id) => JSON.stringify({ id }))
    }
  }

export const myGlobals =
  ({ engine }: SystemServices): Procedure<'myGlobals'> =>
  async ({ actor }) =>
    globalsOf(await engine.renew(actor))

export const globalsOf = ({ user, isAdmin, hasAppAccess, enforcesTfa }: Actor): Output<'myGlobals'> =>
  user === null && !isAdmin
    ? { app_access: false }
    : { app_access: hasAppAccess, admin_access: isAdmin, enforce_tfa: enforcesTfa }

type ActionPermissions = Output<'myPermissions'>[string][string]

const fieldList = (fields: 'all' | ReadonlySet<string>) => (fields === 'all' ? ['*'] : [...fields])

const full: ActionPermissions = { access: 'full', fields: ['*'] }

const presetsIn = (permissions: readonly Permission[]): Pick<ActionPermissions, 'presets'> => {
  const presets = Object.assign({}, ...permissions.map((each) => each.presets ?? {})) as Record<string, unknown>
  return Object.keys(presets).length === 0 ? {} : { presets }
}

/** Whether the action is allowed for every row, for some, or for none. */
export function accessTo(action: Action, collection: Collection, actor: Actor): ActionPermissions['access'] {
  if (actor.isAdmin) return 'full'
  const permissions = actor.permissionsFor(collection, action)
  if (permissions.length === 0) return 'none'
  return action === 'create' || permissions.some(({ rule }) => isOpen(rule)) ? 'full' : 'partial'
}

function actionPermissions(action: Action, collection: Collection, actor: Actor): ActionPermissions {
  if (actor.isAdmin) return full
  const access = accessTo(action, collection, actor)
  if (access === 'none') return { access }
  const fields = fieldList(actor.fieldsFor(collection, action))
  return { access, fields, ...presetsIn(actor.permissionsFor(collection, action)) }
}

/** The caller's permissions by collection and action; inaccessible collections are left out. */
export const myPermissions =
  ({ engine }: SystemServices): Procedure<'myPermissions'> =>
  async ({ actor: caller }) => {
    const actor = await engine.renew(caller)
    if (actor.user === null && !actor.isAdmin) throw forbidden()
    const open = [...engine.schema().collections.values()].filter((collection) => actor.mayUse(collection))
    return Object.fromEntries(
      open.map((collection) => [
        collection.name,
        Object.fromEntries(actions.map((action) => [action, actionPermissions(action, collection, actor)])),
      ]),
    )
  }

type ItemPermissions = Output<'myItemPermissions'>[string]

const asked = ['update', 'delete', 'share'] as const

/** The caller's permissions on one item; all are denied if the item does not exist. */
export const myItemPermissions =
  (services: SystemServices): Procedure<'myItemPermissions'> =>
  async (call) => {
    const { engine } = services
    const { input } = call
    const actor = await engine.renew(call.actor)
    if (actor.user === null && !actor.isAdmin) throw forbidden()
    const found = namedCollection(input.collection, engine.schema())
    if (found === undefined || !actor.mayUse(found)) throw forbidden()
    const isSingleton = found.meta?.singleton === true
    const given = input.key === null ? null : keyFromText(input.key)
    const key = given ?? (isSingleton ? await onlyKey(found, services) : null)
    const entries = await Promise.all(
      asked.map(
        async (action) => [action, await itemPermissions(action, found, key, isSingleton, actor, services)] as const,
      ),
    )
    const isMissing = isSingleton && key === null
    const create = isMissing ? { create: await itemPermissions('create', found, null, false, actor, services) } : {}
    return { ...create, ...Object.fromEntries(entries) }
  }

/** A collection by its name, or a system collection by its declared name. */
const namedCollection = (name: string, schema: Schema): Collection | undefined =>
  findCollection(schema, name) ?? findCollection(schema, name, true) ?? schema.collections.get(name)

async function itemPermissions(
  action: Action,
  { name, table, isSystem }: Collection,
  key: readonly string[] | null,
  needsRow: boolean,
  actor: Actor,
  { engine }: SystemServices,
): Promise<ItemPermissions> {
  const question = { collection: isSystem ? table : name, isSystem, action, key }
  const { isAdmin, exists, rules } = await engine.rowPermissions(actor, question)
  const held = rules.filter(({ holds }) => holds !== false).map(({ permission }) => permission)
  const access = (isAdmin || held.length > 0) && exists !== false && (exists !== null || !needsRow)
  if (action === 'delete' || action === 'share' || !access) return { access }
  const isAll = isAdmin || held.some(({ fields }) => fields === 'all')
  const names = new Set(held.flatMap(({ fields }) => (fields === 'all' ? [] : [...fields])))
  return { access, fields: isAll ? ['*'] : [...names], ...presetsIn(held) }
}

async function onlyKey(
  { name, table, isSystem, key }: Collection,
  { engine, limits }: SystemServices,
): Promise<string[] | null> {
  const shape = parseQuery({ fields: key.map((field) => writtenName(field.name)), limit: 1 }, limits)
  const read = { ...readOf(isSystem ? table : name, shape, null), isSystem }
  const [row] = (await engine.list(administrator, read)).rows
  if (row === undefined) return null
  const values = JSON.parse(row) as Readonly<Record<string, unknown>>
  return key.map((field) => String(values[field.name]))
}
