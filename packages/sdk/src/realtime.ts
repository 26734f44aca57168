import type { Client } from './client.ts'
import { assertConditions } from './defined.ts'
import { createConnection, errorOf, passes, type Connection, type RealtimeOptions } from './realtime-connection.ts'
import { createQueue } from './realtime-queue.ts'
import type { Message } from './realtime-socket.ts'
import { backoff } from './retry.ts'
import type { ChangeKind, Subscribe, Subscription } from './types/realtime.ts'

export type { RealtimeOptions } from './realtime-connection.ts'
export type * from './types/realtime.ts'

export interface Realtime<S> {
  /** Tells what happens to the rows of a collection, also after breaks of the connection. */
  readonly subscribe: Subscribe<S>
  /** Ends all subscriptions. */
  readonly close: () => void
}

interface Options {
  readonly event?: ChangeKind
  readonly from?: string
  readonly live?: boolean
  readonly signal?: AbortSignal
}

/** A subscription, as the connection sees it. */
interface Entry {
  /** The message that begins it, or lets it go on. */
  readonly begin: () => Message
  readonly received: (message: Message) => void
  readonly end: (failure?: { readonly error: unknown }) => void
}

/** What the service tells in an event; its name is for the connection alone. */
const eventOf = ({ event, data, meta, position, resumed }: Message): Message => ({
  event,
  position,
  ...(data === undefined ? {} : { data }),
  ...(meta === undefined ? {} : { meta }),
  ...(resumed === undefined ? {} : { resumed }),
})

/** `resend` begins it again; `leave` tells that nobody reads it any more. */
function createEntry(request: Message, { event, from, live }: Options, resend: () => void, leave: () => void) {
  const { values, push, end: endQueue } = createQueue<Message>(leave)
  let position: string | null = null
  let hasBegun = false
  let refusals = 0
  const end: Entry['end'] = (failure) => {
    leave()
    endQueue(failure)
  }
  const entry: Entry = {
    begin() {
      // A live query begins with its whole result, so it needs no position to go on from.
      if (live === true) return { ...request, live }
      const after = position ?? from
      return {
        ...request,
        positions: true,
        ...(event === undefined ? {} : { event }),
        ...(after === undefined ? {} : { from: after }),
      }
    },
    received(message) {
      if (message['status'] === 'error') {
        const error = errorOf(message['error'], 'UNEXPECTED_RESPONSE')
        if (!passes(error)) return end({ error })
        setTimeout(resend, backoff(refusals))
        refusals += 1
        return
      }
      refusals = 0
      position = String(message['position'])
      // After a break, the changes that were missed simply follow.
      const isSilent = message['event'] === 'position' || (hasBegun && message['resumed'] === true)
      hasBegun = true
      if (!isSilent) push(eventOf(message))
    },
    end,
  }
  const subscription: Subscription<unknown> = {
    ...values,
    [Symbol.asyncIterator]: () => subscription,
    get position() {
      return position
    },
    close: () => end(),
  }
  return { entry, subscription }
}

/** How long a connection without subscriptions is kept. */
const IDLE = 100

/** Subscriptions of a client, over one connection, which is there while there are subscriptions. */
export function realtime<S>(client: Client<S>, options: RealtimeOptions = {}): Realtime<S> {
  const entries = new Map<string, Entry>()
  let connection: Connection | null = null
  let last = 0

  const connected = () =>
    (connection ??= createConnection(client.access, options, {
      opened: () => {
        for (const { begin } of entries.values()) connection?.send(begin())
      },
      received: (message) => entries.get(String(message['uid']))?.received(message),
      failed: (error) => endAll({ error }),
    }))

  function endAll(failure?: { readonly error: unknown }): void {
    connection?.end()
    connection = null
    for (const { end } of entries.values()) end(failure)
  }

  function forget(uid: string): void {
    if (!entries.delete(uid)) return
    connection?.send({ type: 'unsubscribe', uid })
    if (entries.size > 0 || connection === null) return
    setTimeout(() => {
      if (entries.size === 0) endAll()
    }, IDLE)
  }

  function subscribe(collection: string, query: object = {}, given: Options = {}): Subscription<unknown> {
    assertConditions(query)
    const { signal } = given
    last += 1
    const uid = String(last)
    const resend = () => entries.has(uid) && connection?.send(entry.begin())
    const leave = () => {
      signal?.removeEventListener('abort', abort)
      forget(uid)
    }
    const { entry, subscription } = createEntry({ type: 'subscribe', collection, query, uid }, given, resend, leave)
    const abort = () => entry.end({ error: signal?.reason })
    if (signal?.aborted === true) abort()
    else {
      signal?.addEventListener('abort', abort, { once: true })
      entries.set(uid, entry)
      connected().send(entry.begin())
    }
    return subscription
  }

  return { subscribe: subscribe as Subscribe<S>, close: () => endAll() }
}
