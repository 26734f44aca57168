import { ServiceError } from '@tain/contract'
import { isOpen, type Connection } from './connection.ts'
import { frameOf } from './frames.ts'
import type { Subscription, Told } from './hub.ts'
import { answer, checkMembers, uidText, type Message } from './message.ts'
import { actorOf, say, type SocketServices } from './socket-services.ts'
import { wishIn } from './wish.ts'

const members = ['collection', 'event', 'item', 'query', 'from', 'live', 'positions'] as const

interface State {
  own: Subscription | null
  /** The hub has ended it. */
  isOver: boolean
  /** The client has. */
  isLeft: boolean
}

/** Begins a subscription. The same uid again replaces the one before. */
export async function subscribe(
  { body, uid }: Message,
  connection: Connection,
  services: SocketServices,
): Promise<void> {
  checkMembers(body, members)
  const { collection, event, item, query, from, live, positions } = body
  // The caller is asked for first: credentials that have ended end the connection.
  await actorOf(connection, services)
  const written = { collection, event, item, query, from, live, positions }
  const wish = wishIn(written, services.engine.schema(), services.limits)
  const { hub, config } = services
  if (hub === null)
    throw new ServiceError('SERVICE_UNAVAILABLE', 'The service keeps no log of changes (EVENTS_ENABLED).')
  const name = uid === undefined ? null : uidText(uid)
  const key = name ?? Symbol('subscription')
  leave(connection, key)
  const { subscriptions } = connection
  if (subscriptions.size >= config.connectionSubscriptions) throw new ServiceError('LIMIT_EXCEEDED')
  const state: State = { own: null, isOver: false, isLeft: false }
  const tell = (told: Told) => {
    if (told.kind === 'error') {
      state.isOver = true
      if (state.own !== null && subscriptions.get(key) === state.own) subscriptions.delete(key)
    }
    connection.pace(() => {
      if (!state.isLeft) say(connection, frameOf(told, name), services)
    })
  }
  const begun = await hub.subscribe(connection.audience, wish, tell)
  state.own = {
    close() {
      state.isLeft = true
      begun.close()
    },
  }
  if (!isOpen(connection)) state.own.close()
  else if (!state.isOver) subscriptions.set(key, state.own)
}

/** Ends one subscription, or all of the connection. */
export function unsubscribe({ body, uid }: Message, connection: Connection, services: SocketServices): void {
  checkMembers(body, [])
  if (uid === undefined) closeSubscriptions(connection)
  else leave(connection, uidText(uid))
  say(
    connection,
    answer('subscription', uid === undefined ? undefined : uidText(uid), { event: 'unsubscribe' }),
    services,
  )
}

function leave({ subscriptions }: Connection, key: string | symbol): void {
  subscriptions.get(key)?.close()
  subscriptions.delete(key)
}

export function closeSubscriptions({ subscriptions }: Connection): void {
  for (const subscription of subscriptions.values()) subscription.close()
  subscriptions.clear()
}
