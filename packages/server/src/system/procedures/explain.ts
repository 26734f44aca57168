import { isIP } from 'node:net'
import { forbidden, invalidPayload } from '@tain/contract'
import { users } from '@tain/contract/collections'
import type { Output } from '@tain/contract/schemas'
import type { Actor } from '../../access/actor.ts'
import { isOpen } from '../../access/escalation.ts'
import type { Action, Permission } from '../../access/permissions.ts'
import type { RuleState } from '../../engine/row-permissions.ts'
import type { Procedure } from '../../procedure.ts'
import { isUuid } from '../../lib/uuid.ts'
import { keyFromText } from '../../query/keys.ts'
import { findCollection, findField, type Collection } from '../../schema/schema.ts'
import type { Attempt, SystemServices } from './system-services.ts'

interface Question {
  readonly user: string | null
  /** The client address of the request; without it, policies limited to some addresses do not apply. */
  readonly address: string | null
  readonly actions: readonly Action[]
  readonly collection: string
  readonly isSystem: boolean
  readonly key: readonly string[] | null
  readonly attempt: Attempt
}

const byMethod: Readonly<Record<string, readonly Action[]>> = {
  GET: ['read'],
  SEARCH: ['read'],
  QUERY: ['read'],
  POST: ['create'],
  PATCH: ['update'],
  PUT: ['create', 'update'],
  DELETE: ['delete'],
}

type Explanation = Output<'explain'>

/**
 * Explains how a request of a user is decided. The request runs as a dry run, so the result is the one that the real
 * request would get.
 */
export const explain =
  (services: SystemServices): Procedure<'explain'> =>
  async (call) => {
    const { isAdmin } = await services.engine.renew(call.actor)
    if (!isAdmin) throw forbidden()
    const question = questionOf(call.input.request, services)
    const actor = await services.actorOfUser(question.user, question.address)
    if (actor === null) return refusal(question, 'There is no active user with this key.')
    const explained = await explainFor(actor, question, services)
    if (actor.isExcluded)
      return { ...explained, allowed: false, reason: 'No policy of the user holds for this address.' }
    const { status, message } = await services.attempt(actor, question.attempt)
    if (status < 400) return { ...explained, allowed: true, reason: null }
    return { ...explained, allowed: false, reason: explained.reason ?? message }
  }

async function explainFor(actor: Actor, question: Question, { engine }: SystemServices): Promise<Explanation> {
  const { collection: name, isSystem, key, actions } = question
  const collection = findCollection(engine.schema(), name, isSystem)
  if (collection === undefined) return refusal(question, 'There is no such collection.')
  const answers = await Promise.all(
    actions.map(async (action) => ({
      action,
      ...(await engine.rowPermissions(actor, {
        collection: name,
        isSystem,
        action,
        key: action === 'create' ? null : key,
      })),
    })),
  )
  const isMissing = answers.some(({ exists }) => exists === false)
  if (actor.isAdmin && !isMissing)
    return { ...openTo(collection, question), policies: [...actor.policies], admin: true }
  const granting = answers.map(({ rules }) => rules.filter(({ holds }) => holds !== false))
  const open = fieldsOf(granting, collection)
  const isGranted = granting.every((rules) => rules.length > 0)
  const reason = isMissing
    ? 'There is no such item.'
    : !isGranted
      ? answers.some(({ rules }) => rules.length > 0)
        ? 'No rule holds for the item.'
        : 'No policy grants it.'
      : null
  const permissions = granting.flat().map(({ permission }) => permission)
  return {
    collection: collection.name,
    actions: [...actions],
    allowed: reason === null,
    reason,
    admin: actor.isAdmin,
    policies: [...new Set(permissions.flatMap(({ policy }) => policy ?? []))],
    rules: answers.flatMap(({ action, rules }) => rules.map((rule) => explained(action, rule))),
    fields: open,
    masked: open.filter((field) => !permissions.some((each) => isOpen(each.rule) && grants(each, field))),
  }
}

const grants = ({ fields }: Permission, name: string) => fields === 'all' || fields.has(name)

function fieldsOf(granting: readonly (readonly RuleState[])[], collection: Collection): string[] {
  const names = [...collection.columns.keys(), ...collection.aliases.keys()]
  return names.filter((name) => granting.every((rules) => rules.some(({ permission }) => grants(permission, name))))
}

const explained = (action: Action, { permission, holds, predicate }: RuleState): Explanation['rules'][number] => ({
  permission: permission.id,
  policy: permission.policy,
  action,
  rule: permission.rule ?? null,
  validation: permission.validation ?? null,
  presets: permission.presets,
  fields: permission.fields === 'all' ? ['*'] : [...permission.fields],
  holds,
  predicate,
})

const refusal = ({ collection, actions }: Question, reason: string): Explanation => ({
  collection,
  actions: [...actions],
  allowed: false,
  reason,
  admin: false,
  policies: [],
  rules: [],
  fields: [],
  masked: [],
})

const openTo = (collection: Collection, question: Question): Explanation => ({
  ...refusal(question, ''),
  collection: collection.name,
  allowed: true,
  reason: null,
  fields: [...collection.columns.keys(), ...collection.aliases.keys()].filter(
    (name) => findField(collection, name) !== undefined,
  ),
})

type Body = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)

function questionOf(input: unknown, { systemCollections }: SystemServices): Question {
  if (!isObject(input)) throw invalidPayload('The body has to be {user, method, path, query?, body?}')
  const unknown = Object.keys(input).find((key) => !['user', 'method', 'path', 'query', 'body', 'ip'].includes(key))
  if (unknown !== undefined)
    throw invalidPayload(`"${unknown}" is not known; there are user, method, path, query, body and ip`)
  const { user, method, path, query = null, body, ip = null } = input
  if (query !== null && !isObject(query)) throw invalidPayload('"query" has to be an object')
  if (user !== null && !isUuid(user)) throw invalidPayload('"user" has to be the key of a user, or null for the public')
  if (ip !== null && (typeof ip !== 'string' || isIP(ip) === 0)) throw invalidPayload('"ip" has to be an address')
  const actions = typeof method === 'string' ? byMethod[method.toUpperCase()] : undefined
  if (actions === undefined) throw invalidPayload(`"method" has to be one of ${Object.keys(byMethod).join(', ')}`)
  const [address = ''] = typeof path === 'string' ? path.split('?', 1) : []
  const found = /^\/(?:items\/(?<collection>[^/]+)|(?<own>[a-z]+))(?:\/(?<key>[^/]+))?$/u.exec(address)?.groups
  const own = systemCollections.find((entry) => entry.path !== null && entry.path === found?.['own'])
  const collection = own?.name ?? (found?.['collection'] === undefined ? undefined : decoded(found['collection']))
  if (collection === undefined)
    throw invalidPayload('"path" has to be an address of items, or of one of the service’s own collections')
  const written = found?.['key'] === 'me' && own?.name === users.name ? (user ?? undefined) : found?.['key']
  const key = written === undefined ? null : keyFromText(written)
  return {
    user,
    address: ip,
    actions,
    collection,
    isSystem: own !== undefined,
    key,
    attempt: { method: String(method).toUpperCase(), path: String(path), query, body, address: ip },
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalidPayload('"path" is no valid address')
  }
}
