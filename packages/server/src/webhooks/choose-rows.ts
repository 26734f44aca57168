import { ServiceError } from '@tain/contract'
import { administrator, type Actor } from '../access/actor.ts'
import type { ActorOfUser } from '../auth/actor-of-user.ts'
import type { Engine } from '../engine/engine.ts'
import type { Read } from '../engine/read.ts'
import type { JudgedImages, View } from '../engine/watch.ts'
import type { LoggedChange } from '../events/logged-change.ts'
import { queryKeyOf } from '../query/keyed-query.ts'
import { parseQuery, type QueryLimits } from '../query/parse-query.ts'
import type { Collection } from '../schema/schema.ts'
import { cutRow } from './content.ts'
import type { Webhook } from './webhook.ts'

/** A change to deliver, and the row to send with it. */
export interface Chosen {
  readonly change: LoggedChange
  /** JSON; null: the row was deleted, or is too large for the log. */
  readonly item: string | null
  /** Whether its key may be sent. */
  readonly hasKey: boolean
}

/** The changes that a webhook is told of, by its filter and the rights of its user. */
export type ChooseRows = (changes: readonly LoggedChange[], webhook: Webhook) => Promise<readonly Chosen[]>

export interface ChooseServices {
  readonly engine: Pick<Engine, 'watch' | 'schema'>
  readonly actorOfUser: ActorOfUser
  readonly limits: QueryLimits
}

const itemOf = ({ kind, after }: LoggedChange, fields: readonly string[] | null): string | null =>
  kind === 'delete' || after === null ? null : cutRow(after, fields)

export const createChooseRows =
  (services: ChooseServices): ChooseRows =>
  async (changes, webhook) => {
    const { filter, user, fields } = webhook
    // Every change is delivered as the log has it.
    if (filter === null && user === null)
      return changes.map((change) => ({ change, item: itemOf(change, fields), hasKey: true }))
    const chosen = new Map<LoggedChange, Chosen>()
    for (const [name, some] of Map.groupBy(changes, ({ collection }) => collection))
      for (const one of await chooseOf(name, some, webhook, services)) chosen.set(one.change, one)
    return changes.flatMap((change) => chosen.get(change) ?? [])
  }

/** Deletions are asked for the row before, others for the row as the write left it. */
const imageOf = ({ kind, before, after }: LoggedChange): string => (kind === 'delete' ? before : after) ?? 'null'

async function chooseOf(
  name: string,
  changes: readonly LoggedChange[],
  webhook: Webhook,
  services: ChooseServices,
): Promise<readonly Chosen[]> {
  const { user } = webhook
  const collection = services.engine.schema().collections.get(name)
  const actor = user === null ? administrator : await services.actorOfUser(user, null)
  // A user who is gone or suspended may read nothing, and nobody can ask for rows of a table that is gone.
  if (collection === undefined || actor === null) return []
  try {
    return await judge(changes, { webhook, collection, actor }, services)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'FORBIDDEN') return []
    throw error
  }
}

interface Asked {
  readonly webhook: Webhook
  readonly collection: Collection
  readonly actor: Actor
}

const MOST_TRIES = 20
const MOST_IMAGES = 500

async function judge(
  changes: readonly LoggedChange[],
  asked: Asked,
  services: ChooseServices,
): Promise<readonly Chosen[]> {
  const { watch } = services.engine
  const read = readOf(asked, services.limits)
  const chosen: Chosen[] = []
  let { actor } = asked
  let most = MOST_IMAGES
  let at = 0
  for (let tries = 0; at < changes.length;) {
    const view = watch.view(actor, read)
    const some = changes.slice(at, at + most)
    const judged = await watch.images(view, some.map(imageOf))
    if (typeof judged === 'string') {
      tries += 1
      if (tries > MOST_TRIES) throw new Error('rows of the log could not be compared with the filter of a webhook')
      if (judged === 'too-large') most = Math.max(1, Math.floor(most / 2))
      else actor = await watch.renew(actor, await watch.stamp())
      continue
    }
    const shown = fieldsOf(view, asked.webhook)
    for (const [place, change] of some.entries())
      if (isChosen(place, judged, asked.webhook))
        chosen.push({
          change,
          item: itemOf(change, shown),
          hasKey: asked.webhook.user === null || judged.keys.has(place),
        })
    at += some.length
  }
  return chosen
}

/** What cannot be judged is delivered, unless somebody's rights decide. */
const isChosen = (place: number, { shown, unknown }: JudgedImages, { user }: Webhook): boolean =>
  shown.has(place) || (user === null && unknown.has(place))

/** It selects no field, so that every permission to read counts. */
function readOf({ webhook: { filter }, collection }: Asked, limits: QueryLimits): Read {
  const { query, values } = parseQuery(filter === null ? {} : { filter }, limits)
  const bare = { ...query, select: [] }
  const { name, isSystem, table } = collection
  return {
    collection: isSystem ? table : name,
    isSystem,
    query: bare,
    queryKey: queryKeyOf(bare),
    values,
    meta: [],
    cursor: null,
    key: null,
  }
}

/** Fields that only some of the permissions of a user show are left out: which of them apply differs from row to row. */
function fieldsOf({ actor, collection }: View, { fields }: Webhook): readonly string[] | null {
  if (actor.isAdmin) return fields
  const permissions = actor.permissionsFor(collection, 'read')
  const isOpen = (name: string) => permissions.every(({ fields: own }) => own === 'all' || own.has(name))
  return (fields ?? [...collection.columns.keys()]).filter(isOpen)
}
