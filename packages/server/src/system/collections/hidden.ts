import type { SystemCollectionName, SystemCollections } from '@tain/contract/collections'
import type { HiddenColumn } from '../../schema/system-collection.ts'

type Hidden = {
  readonly [N in SystemCollectionName]?: Readonly<Record<string, HiddenColumn<keyof SystemCollections[N]['columns']>>>
}

/** Columns that requests cannot name. */
export const hidden: Hidden = {
  service_users: {
    // Email addresses are compared by this column.
    email_key: { type: 'text', isNullable: true, isUnique: true, lowerCaseOf: 'email' },
    // The last TOTP time step that was used; each step is accepted once.
    tfa_step: { type: 'counter', isNullable: true },
    // How often the user's signed links were revoked.
    link_version: { type: 'counter', default: 0 },
  },
  service_webhooks: {
    // Signs beside the new secret for a while after a rotation.
    previous_secret: { type: 'text', isNullable: true },
    rotated: { type: 'timestamp', isNullable: true },
    // The last change of the log that became deliveries; null: it begins at the end of the log.
    epoch: { type: 'text', isNullable: true },
    number: { type: 'counter', isNullable: true },
    // The number of deliveries so far: their order.
    ordinal: { type: 'counter', default: 0 },
    // Failed attempts since the receiver last took a delivery.
    failures: { type: 'counter', default: 0 },
  },
}
