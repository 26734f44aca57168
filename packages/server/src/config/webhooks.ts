import { isIP } from 'node:net'
import { asDuration, asFlag, asNames, asNumber, fail, type Rows } from './readers.ts'

/** Deliveries to webhooks. */
export interface WebhooksConfig {
  readonly hasWebhooks: boolean
  readonly webhookDelays: readonly number[]
  readonly webhookTimeout: number
  readonly webhookConcurrency: number
  readonly webhookHostConcurrency: number
  readonly webhookAllowed: readonly string[]
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const asDelays = (text: string): readonly number[] => asNames(text).map(asDuration)

function asNetworks(text: string): readonly string[] {
  const networks = asNames(text)
  return networks.every(isNetwork) ? networks : fail('has to be a list of networks such as 10.1.0.0/16,fd00::/8')
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  const most = { 4: 32, 6: 128 }[isIP(address)]
  if (most === undefined || more.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/u.test(prefix) && Number(prefix) <= most)
}

export const webhooksSettings: Rows<WebhooksConfig> = {
  hasWebhooks: {
    name: 'WEBHOOKS_ENABLED',
    fallback: true,
    read: asFlag,
    what: 'deliver changes to webhooks; a process without it leaves that to others',
  },
  webhookDelays: {
    name: 'WEBHOOKS_RETRY_DELAYS',
    fallback: [5000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
    read: asDelays,
    what: 'pauses before a failed delivery is repeated, such as 5s,5m,1h, each up to a fifth shorter or longer; after the last one it is dead',
  },
  webhookTimeout: {
    name: 'WEBHOOKS_TIMEOUT',
    fallback: 15_000,
    read: asDuration,
    what: 'longest time of one attempt, from finding the address to the end of the response',
  },
  webhookConcurrency: {
    name: 'WEBHOOKS_CONCURRENCY',
    fallback: 100,
    read: asNumber(1, 1000),
    what: 'most deliveries at once, per process',
  },
  webhookHostConcurrency: {
    name: 'WEBHOOKS_HOST_CONCURRENCY',
    fallback: 20,
    read: asNumber(1, 1000),
    what: 'most deliveries at once to one host and port, per process',
  },
  webhookAllowed: {
    name: 'WEBHOOKS_ALLOWED_ADDRESSES',
    fallback: [],
    read: asNetworks,
    what: 'addresses and networks that deliveries may go to although they are not public',
  },
}
