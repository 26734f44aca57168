import type { Watch } from '../engine/watch.ts'
import type { EventLog, LogHead } from '../events/event-log.ts'
import type { LoggedChange } from '../events/logged-change.ts'
import type { Observe } from '../observe.ts'
import type { Schema } from '../schema/schema.ts'
import type { Cursor, DeliveryStore, NewDelivery } from '../store/delivery-store.ts'
import { deliveryOf } from './content.ts'
import type { ChooseRows } from './choose-rows.ts'
import type { Webhook } from './webhook.ts'

/** Changes that are read at once. */
const MOST_CHANGES = 1000
/** A cursor is stored behind so many changes that concern its webhook in no way, or after so long. */
const FAR = 500
const LONG = 5000

export interface GatherServices {
  readonly log: EventLog
  readonly store: Pick<DeliveryStore, 'add' | 'begin' | 'drop'>
  readonly schema: () => Schema
  /** The newest one, which `schema` returns from then on. */
  readonly latestSchema: () => Promise<Schema>
  readonly chooseRows: ChooseRows
  /** A key of the log in the form of responses, as JSON. */
  readonly shownKey: Watch['shownKey']
  readonly observe: Observe
}

export interface Gather {
  /** Makes deliveries of all changes that are new to these webhooks; true: there are some. */
  readonly run: (webhooks: readonly Webhook[]) => Promise<boolean>
  /** Has the log keep what webhooks ask for, and gives new ones their first cursor. */
  readonly settle: (webhooks: readonly Webhook[]) => Promise<void>
}

/** Stands for all collections of the user. */
const ALL = '*'

/** How far this process has read for a webhook, beyond its stored cursor, without finding anything. */
interface Seen {
  readonly stored: Cursor
  readonly number: number
  readonly since: number
}

export function createGather(services: GatherServices): Gather {
  const { log, store, observe } = services
  const seen = new Map<string, Seen>()
  const captured = createCaptured(log)

  async function settle(webhooks: readonly Webhook[]): Promise<void> {
    // One that fails is tried again the next time, and concerns no other.
    for (const { id, isDisabled, stored } of webhooks)
      if (isDisabled && stored.cursor !== null)
        await store.drop(id).catch((error: unknown) => observe({ kind: 'webhooks-failed', error }))
    const live = webhooks.filter(({ isDisabled }) => !isDisabled)
    await captured(live)
    const fresh = live.filter(({ stored }) => stored.cursor === null)
    if (fresh.length === 0) return
    // What was written before is not theirs.
    await log.settled()
    const { epoch, number } = await log.head()
    for (const { id } of fresh) await store.begin(id, { epoch, number })
  }

  async function run(webhooks: readonly Webhook[]): Promise<boolean> {
    const live = webhooks.filter(({ isDisabled, stored }) => !isDisabled && stored.cursor !== null)
    if (live.length === 0) return false
    const head = await log.head()
    const changes = sharedChanges(log)
    let hasNew = false
    for (const webhook of live) {
      try {
        if (await advance(webhook, head, { changes, seen, services })) hasNew = true
      } catch (error) {
        // Its filter may fit its collection no longer, which concerns no other.
        observe({ kind: 'webhooks-failed', error })
      }
    }
    return hasNew
  }

  return { run, settle }
}

/** Has the log keep exactly what webhooks ask for, in the name of this process. */
function createCaptured(log: EventLog): (webhooks: readonly Webhook[]) => Promise<void> {
  const held = new Map<string, () => void>()
  return async (webhooks) => {
    const wanted = new Set(webhooks.flatMap(({ collections }) => [...(collections ?? [ALL])]))
    for (const name of wanted) if (!held.has(name)) held.set(name, await log.capture([name]))
    for (const [name, end] of held)
      if (!wanted.has(name)) {
        held.delete(name)
        end()
      }
  }
}

type Changes = (after: number) => Promise<readonly LoggedChange[]>

/** Most webhooks are at the same place, so what is read for one is read for all. */
function sharedChanges(log: EventLog): Changes {
  const known = new Map<number, Promise<readonly LoggedChange[]>>()
  return (after) => {
    const found = known.get(after) ?? log.changes({ after, most: MOST_CHANGES })
    known.set(after, found)
    return found
  }
}

interface Advancing {
  readonly changes: Changes
  readonly seen: Map<string, Seen>
  readonly services: GatherServices
}

async function advance(webhook: Webhook, head: LogHead, { changes, seen, services }: Advancing): Promise<boolean> {
  const { store, observe } = services
  let stored = webhook.stored.cursor
  let hasNew = false
  while (stored !== null) {
    const known = seen.get(webhook.id)
    // In a new epoch other changes may have the numbers that were read.
    const isSame = stored.epoch === head.epoch
    const isKnown = isSame && known?.stored.epoch === stored.epoch && known.stored.number === stored.number
    const from = Math.max(isKnown ? known.number : 0, startOf(stored, head, webhook, observe))
    const found = from >= head.number ? [] : await changes(from)
    const last = found.at(-1)?.position ?? from
    const deliveries = await deliveriesOf(found, webhook, head.epoch, services)
    const since = isKnown ? known.since : performance.now()
    const isFar = last - stored.number >= FAR || (last > stored.number && performance.now() - since > LONG)
    if (deliveries.length === 0 && !isFar && isSame) {
      seen.set(webhook.id, { stored, number: last, since })
      return hasNew
    }
    const to: Cursor = { epoch: head.epoch, number: last }
    // Somebody else has gone on meanwhile.
    if (!(await store.add({ ...webhook.stored, cursor: stored }, to, deliveries))) return hasNew
    hasNew ||= deliveries.length > 0
    stored = to
    if (found.length === 0 || last >= head.number) return hasNew
  }
  return hasNew
}

/** Changes that the log no longer has cannot be delivered: that is reported. */
function startOf(cursor: Cursor, { epoch, number, oldest }: LogHead, { id }: Webhook, observe: Observe): number {
  const isNewEpoch = cursor.epoch !== epoch
  if (isNewEpoch || cursor.number < oldest) observe({ kind: 'webhook-behind', webhook: id, isNewEpoch })
  // Numbers go on in a new epoch, and what it still has is delivered.
  return Math.min(cursor.number, number)
}

async function deliveriesOf(
  changes: readonly LoggedChange[],
  webhook: Webhook,
  epoch: string,
  { schema, latestSchema, chooseRows, shownKey }: GatherServices,
): Promise<readonly NewDelivery[]> {
  // Another replica may have made a collection a moment ago.
  const isKnown = changes.every(({ collection }) => schema().collections.has(collection))
  const now = isKnown ? schema() : await latestSchema()
  const meant = changes.filter((change) => isMeant(change, webhook, now))
  if (meant.length === 0) return []
  const chosen = await chooseRows(meant, webhook)
  return chosen.map(({ change, item, hasKey }) => {
    const collection = now.collections.get(change.collection)
    const key = collection === undefined ? JSON.stringify(change.key) : shownKey(change.key, collection)
    return deliveryOf(change, item, webhook, epoch, hasKey ? key : 'null')
  })
}

function isMeant({ collection, kind }: LoggedChange, { collections, events }: Webhook, schema: Schema): boolean {
  if (!events.has(kind)) return false
  return collections === null ? schema.collections.get(collection)?.isSystem === false : collections.has(collection)
}
