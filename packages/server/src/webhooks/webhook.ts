import type { SecretEncryption } from '../auth/secret-encryption.ts'
import type { Payload } from '../query/mutation.ts'
import type { StoredWebhook } from '../store/delivery-store.ts'
import { webhookOwner } from '../system/guards/webhooks.ts'

/** A webhook as it is used: its lists parsed, its secrets opened. */
export interface Webhook {
  readonly stored: StoredWebhook
  readonly id: string
  readonly url: URL
  readonly isActive: boolean
  readonly isDisabled: boolean
  /** null: all collections of the user. */
  readonly collections: ReadonlySet<string> | null
  readonly events: ReadonlySet<string>
  /** null: all. */
  readonly fields: readonly string[] | null
  readonly filter: Payload | null
  readonly user: string | null
  readonly headers: Readonly<Record<string, string>>
  /** They all sign, the newest first; none: they were sealed with a key that is gone. */
  readonly secrets: readonly string[]
}

const listIn = (json: string): readonly string[] => JSON.parse(json) as readonly string[]

export function openWebhook(stored: StoredWebhook, encryption: SecretEncryption): Webhook {
  const { id, url, status, secret, previousSecret } = stored
  const open = (sealed: string | null) => (sealed === null ? null : encryption.decrypt(sealed, webhookOwner(id)))
  const [collections, fields] = [listIn(stored.collections), listIn(stored.fields)]
  const headers = open(stored.headers === null ? null : (JSON.parse(stored.headers) as string))
  return {
    stored,
    id,
    url: new URL(url),
    isActive: status === 'active',
    isDisabled: status === 'disabled',
    collections: collections.includes('*') ? null : new Set(collections),
    events: new Set(listIn(stored.events)),
    fields: fields.includes('*') ? null : fields,
    filter: stored.filter === null ? null : (JSON.parse(stored.filter) as Payload | null),
    user: stored.user,
    headers: headers === null ? {} : (JSON.parse(headers) as Readonly<Record<string, string>>),
    secrets: [secret, previousSecret].flatMap((sealed) => open(sealed) ?? []),
  }
}
