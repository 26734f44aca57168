import { randomUUID } from 'node:crypto'
import type { Redis } from './redis.ts'

/**
 * Tells other replicas that something has happened, so that they look for it sooner. Messages get lost while Redis is
 * unavailable and may come from anybody who reaches it: they are a reason to look, never a fact.
 */
export interface Bus {
  publish(text: string): void
  /** Calls back for the messages of other replicas. */
  onMessage(received: (text: string) => void): void
}

/** For a service that is alone. */
export const silentBus: Bus = { publish: () => {}, onMessage: () => {} }

const LONGEST = 200

export function createRedisBus(redis: Redis, channel: string): Bus {
  const sender = randomUUID()
  const listeners: ((text: string) => void)[] = []
  const receive = (message: string) => {
    const at = message.indexOf(' ')
    if (message.length > LONGEST || message.slice(0, at) === sender) return
    for (const received of listeners) received(message.slice(at + 1))
  }
  redis.onConnect((connection) => {
    if (listeners.length > 0) connection.subscribe(channel, receive)
  })
  return {
    publish: (text) =>
      void redis.attempt(
        (client) => client.publish(channel, `${sender} ${text}`),
        () => 0,
      ),
    onMessage: (received) => void listeners.push(received),
  }
}
