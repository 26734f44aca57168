import { randomBytes, randomUUID } from 'node:crypto'
import { MASK, ServiceError, forbidden, invalidPayload } from '@tain/contract'
import { users, webhooks } from '@tain/contract/collections'
import type { SecretEncryption } from '../../auth/secret-encryption.ts'
import type { Guard, GuardContext } from '../../engine/write/guards.ts'
import { nearest } from '../../lib/nearest.ts'
import { isRefusedHost, type IsAllowedAddress } from '../../lib/outside-addresses.ts'
import { outsideUrl } from '../../lib/outside-request.ts'
import { isUuid } from '../../lib/uuid.ts'
import type { WriteNode } from '../../query/bound-write.ts'
import { bindFilter } from '../../query/bind-filter.ts'
import type { Payload } from '../../query/mutation.ts'
import { parseFilter } from '../../query/parse-filter.ts'
import { everything } from '../../query/resolve.ts'
import { ruleConstants } from '../../query/values.ts'
import type { Collection, Schema } from '../../schema/schema.ts'
import { keyOf, replace, sent } from './sent.ts'

export const webhookEvents = ['create', 'update', 'delete'] as const
export const webhookStatuses = ['active', 'paused', 'disabled'] as const

const LIMITS = { depth: 50, jsonDepth: 50, listLength: 1000 }
const MOST_HEADERS = 50
const MOST_TEXT = 4096

/** Columns that the service alone fills in. */
const own = ['dead_count', 'last_success', 'last_failure', 'failing_since', 'next_probe'] as const

export interface WebhookGuardOptions {
  /** The addresses that deliveries may go to. */
  readonly isAllowed: IsAllowedAddress
  readonly encryption: () => SecretEncryption
  /** Called after webhooks were made or changed, before their caller is answered. */
  readonly onChanged: () => Promise<void>
}

/** Secrets of a webhook are sealed for it alone. */
export const webhookOwner = (id: string): string => `webhook ${id}`

export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** Webhooks send rows out of the service, so administrators alone make them. */
export const createWebhookGuard = (options: WebhookGuardOptions): Guard => ({
  async prepare(nodes, context) {
    if (!context.actor.isAdmin) throw forbidden()
    for (const node of nodes) await prepareWebhook(node, context, options)
  },
  async after(_, { afterCommit }) {
    afterCommit(options.onChanged)
  },
})

async function prepareWebhook(node: WriteNode, context: GuardContext, options: WebhookGuardOptions): Promise<void> {
  for (const name of own)
    if (node.sent.has(name)) throw invalidPayload(`"${name}" is filled in by the service and cannot be sent`)
  const stored = await storedRow(node, context)
  checkPlainly(node)
  sealSecrets(node, stored === undefined, context, options)
  if (stored === undefined) fillNew(node)
  else if ((stored['failing_since'] ?? null) !== null) tryAgain(node)
  checkChoice(node, { ...stored, ...sentIn(node) }, context.schema)
  await checkUser(node, context)
  await checkUrl(node, options)
}

async function storedRow(node: WriteNode, { rows }: GuardContext): Promise<Payload | undefined> {
  const key = keyOf(node)
  if (node.action === 'create' || key === null) return undefined
  const [row] = await rows(webhooks.name, {
    filter: { id: { _eq: key } },
    fields: ['collections', 'events', 'fields', 'filter', 'failing_since'],
    limit: 1,
  })
  return row
}

const choices = ['collections', 'events', 'fields', 'filter'] as const

const sentIn = (node: WriteNode): Payload =>
  Object.fromEntries(choices.flatMap((name) => (node.values.has(name) ? [[name, sent(node, name)]] : [])))

/** A receiver that fails may be another one now, or be back: its deliveries are tried at once. */
function tryAgain(node: WriteNode): void {
  if (!node.values.has('url') && !node.values.has('status')) return
  for (const name of ['failing_since', 'next_probe'] as const) replace(node, name, null)
}

function fillNew(node: WriteNode): void {
  if (!node.values.has('events')) replace(node, 'events', [...webhookEvents])
  if (!node.values.has('fields')) replace(node, 'fields', ['*'])
}

function checkPlainly(node: WriteNode): void {
  const status = sent(node, 'status')
  if (status !== undefined && !webhookStatuses.some((each) => each === status))
    throw invalidPayload(`"status" has to be one of ${webhookStatuses.join(', ')}`)
  const name = sent(node, 'name')
  if (name !== undefined && (typeof name !== 'string' || name === '')) throw invalidPayload('"name" has to be a text')
}

/** The secret is made here. What a client has read and sends back, the mask, is no change. */
function sealSecrets(
  node: WriteNode,
  isNew: boolean,
  { reveal }: GuardContext,
  { encryption }: WebhookGuardOptions,
): void {
  for (const name of ['secret', 'headers'] as const)
    if (node.values.has(name) && sent(node, name) === MASK) node.values.delete(name)
  if (node.values.has('secret'))
    throw invalidPayload('"secret" is made by the service; POST /webhooks/{id}/rotate makes a new one')
  const id = idOf(node)
  const seal = (text: string) => encryption().encrypt(text, webhookOwner(id))
  if (node.values.has('headers') || isNew) replace(node, 'headers', seal(JSON.stringify(headersIn(node))))
  if (!isNew) return
  const secret = newWebhookSecret()
  replace(node, 'secret', seal(secret))
  reveal(id, { secret })
}

function idOf(node: WriteNode): string {
  const key = keyOf(node) ?? sent(node, 'id')
  // A text that is no key is refused when it is encoded.
  const id = typeof key === 'string' && isUuid(key) ? key.toLowerCase() : randomUUID()
  if (key === undefined || key === null) replace(node, 'id', id)
  return id
}

/** Headers that the exchange itself needs, or that say who sends it. */
const reserved =
  /^(?:host|connection|content-length|content-type|content-encoding|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|user-agent|accept-encoding|webhook-.*)$/iu
const TOKEN = /^[\w!#$%&'*+.^`|~-]{1,100}$/u
// eslint-disable-next-line no-control-regex
const VISIBLE = /^[\t\u0020-\u007E\u0080-\u00FF]*$/u

function headersIn(node: WriteNode): Readonly<Record<string, string>> {
  const given = sent(node, 'headers') ?? {}
  if (typeof given !== 'object' || Array.isArray(given))
    throw invalidPayload('"headers" has to be an object of names and texts')
  const entries = Object.entries(given as Payload)
  if (entries.length > MOST_HEADERS) throw invalidPayload(`"headers" has more than ${MOST_HEADERS} entries`)
  for (const [name, value] of entries) {
    if (!TOKEN.test(name) || reserved.test(name))
      throw invalidPayload(`"headers" cannot have "${name}": it is no name of a header, or the service sends it itself`)
    if (typeof value !== 'string' || value.length > MOST_TEXT || !VISIBLE.test(value))
      throw invalidPayload(`The value of "${name}" in "headers" has to be a short text on one line`)
  }
  return given as Readonly<Record<string, string>>
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')

/** What is delivered: collections that are there, and fields and a filter that each of them has. */
function checkChoice(node: WriteNode, { collections, events, fields, filter }: Payload, schema: Schema): void {
  if (!choices.some((name) => node.values.has(name)) && collections !== undefined) return
  if (!isTexts(collections)) throw invalidPayload('"collections" has to be a list of names; "*" stands for all')
  if (!isTexts(events) || !events.every((each) => webhookEvents.some((event) => event === each)))
    throw invalidPayload(`"events" has to be a list of ${webhookEvents.join(', ')}`)
  if (!isTexts(fields)) throw invalidPayload('"fields" has to be a list of names; "*" stands for all')
  const isPlain = fields.every((field) => field === '*') && (filter ?? null) === null
  if (collections.includes('*') && !isPlain)
    throw invalidPayload('"fields" and "filter" need the names of collections, not "*"')
  for (const name of collections)
    if (name !== '*') checkCollection(collectionOf(name, schema), { fields, filter }, schema)
}

/** Sessions and deliveries are no rows that anybody reads. */
const closed: ReadonlySet<string> = new Set(['service_sessions', 'service_deliveries'])

function collectionOf(name: string, schema: Schema): Collection {
  const collection = schema.collections.get(name)
  if (collection === undefined || (collection.isSystem && closed.has(collection.table)))
    throw invalidPayload(`"collections" has "${name}", which is no collection${hintFor(name, schema.collections)}`)
  return collection
}

function hintFor(name: string, known: ReadonlyMap<string, unknown>): string {
  const hint = nearest(name, known.keys())
  return hint === undefined ? '' : `; did you mean "${hint}"?`
}

function checkCollection(
  collection: Collection,
  { fields, filter }: { readonly fields: readonly string[]; readonly filter: unknown },
  schema: Schema,
): void {
  for (const field of fields) {
    if (field === '*' || collection.columns.has(field)) continue
    const hint = field.includes('.') ? '; related rows are not sent' : hintFor(field, collection.columns)
    throw invalidPayload(`"fields" has "${field}", which is no column of "${collection.name}"${hint}`)
  }
  if ((filter ?? null) === null) return
  try {
    const parsed = parseFilter(filter, ruleConstants, LIMITS)
    if (parsed !== null)
      bindFilter(parsed, collection, { schema, visibility: everything, at: 'filter', limitDefault: 0 })
  } catch (error) {
    throw error instanceof ServiceError ? invalidPayload(`"filter" cannot be used: ${error.message}`) : error
  }
}

async function checkUser(node: WriteNode, { rows }: GuardContext): Promise<void> {
  const user = sent(node, 'user')
  if (user === undefined || user === null) return
  const isKey = typeof user === 'string' && isUuid(user)
  const found = isKey ? await rows(users.name, { filter: { id: { _eq: user } }, fields: ['id'], limit: 1 }) : []
  if (found.length === 0) throw invalidPayload('"user" has to be the key of a user')
}

async function checkUrl(node: WriteNode, { isAllowed }: WebhookGuardOptions): Promise<void> {
  const given = sent(node, 'url')
  if (given === undefined) return
  const url = typeof given === 'string' && given.length <= MOST_TEXT ? outsideUrl(given) : null
  if (url === null)
    throw invalidPayload('"url" has to be an address with http or https, without a user name and a password')
  if (await isRefusedHost(url, isAllowed))
    throw invalidPayload('"url" has to lead to a public address; WEBHOOKS_ALLOWED_ADDRESSES opens others to deliveries')
}
