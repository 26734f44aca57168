import { between, type Failpoints } from '../lib/failpoint.ts'
import type { IsAllowedAddress } from '../lib/outside-addresses.ts'
import type { OutsideConnections } from '../lib/outside-connections.ts'
import type { DeliveryEnd, LeasedDelivery } from '../store/delivery-store.ts'
import type { ReceiverAnswer } from '../store/receiver-state.ts'
import { ADDRESS_REFUSED, exchange, type Outcome } from './exchange.ts'
import { signedHeaders } from './signature.ts'
import type { Webhook } from './webhook.ts'

export interface SendOptions {
  readonly isAllowed: IsAllowedAddress
  readonly connections: OutsideConnections
  readonly userAgent: string
  readonly timeout: number
  readonly failpoints: Failpoints | null
}

export interface Message {
  readonly id: string
  readonly body: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Sends one signed message. */
export function sendMessage({ id, body, at }: Message, webhook: Webhook, options: SendOptions): Promise<Outcome> {
  const { url, secrets, headers } = webhook
  const { isAllowed, connections, timeout } = options
  // Unsigned, it would teach its receiver to take anything.
  if (secrets.length === 0) return Promise.resolve({ duration: 0, response: null, error: SECRET_UNREADABLE })
  const signed = signedHeaders({ id, timestamp: Math.floor(at / 1000), body }, secrets)
  const own = { 'content-type': 'application/json', 'user-agent': options.userAgent }
  return between(options.failpoints, 'webhooks.before-send', 'webhooks.after-send', () =>
    exchange({ url, headers: { ...headers, ...own, ...signed }, body, isAllowed, connections, timeout }),
  )
}

const SECRET_UNREADABLE = 'SECRET_UNREADABLE'

/** Nothing reached the receiver, so these tell nothing about it. */
const unsent: ReadonlySet<string | null> = new Set([ADDRESS_REFUSED, SECRET_UNREADABLE])

/** What an attempt tells about the receiver: 410 is an answer too. */
function answerOf(outcome: Outcome): ReceiverAnswer {
  if (isTaken(outcome) || isGone(outcome)) return 'taken'
  return unsent.has(outcome.error) ? null : 'failed'
}

/** Most attempts that are told: the first ones go. */
const MOST_ATTEMPTS = 50

const isTaken = ({ response, error }: Outcome) =>
  error === null && response !== null && response >= 200 && response < 300

/** Whether the receiver wants nothing more. */
export const isGone = ({ response }: Outcome): boolean => response === 410

/** What an attempt means for its delivery: it has arrived, is repeated after a while, or is dead. */
export function endOf(delivery: LeasedDelivery, outcome: Outcome, at: number, delays: readonly number[]): DeliveryEnd {
  const { duration, response, error } = outcome
  const receiver = answerOf(outcome)
  const earlier = JSON.parse(delivery.attempts) as readonly unknown[]
  const attempt = { at: new Date(at).toISOString(), duration, response, error }
  const attempts = JSON.stringify([...earlier, attempt].slice(-MOST_ATTEMPTS))
  if (isTaken(outcome)) return { delivery, status: 'delivered', attempts, wait: null, receiver }
  const delay = error === ADDRESS_REFUSED || isGone(outcome) ? undefined : delays[delivery.tries]
  if (delay === undefined) return { delivery, status: 'dead', attempts, wait: null, receiver }
  // Up to a fifth shorter or longer, so that what failed together is not repeated together.
  return { delivery, status: 'waiting', attempts, wait: delay * (0.8 + Math.random() * 0.4), receiver }
}
