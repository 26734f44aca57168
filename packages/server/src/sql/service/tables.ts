import { collectionMeta, fieldMeta, relationMeta, type MetaColumn, type MetaKind } from '@tain/contract'
import { collections, type SystemCollection } from '@tain/contract/collections'
import type { ServiceColumn, ServiceTable } from './table.ts'

const text = { type: 'text' } as const
const name = { type: 'text', length: 255 } as const
const short = (length: number) => ({ type: 'text', length }) as const
const json = { type: 'json' } as const
const integer = { type: 'integer' } as const
const counter = { type: 'counter' } as const
const timestamp = { type: 'timestamp' } as const
const optional = <const C extends ServiceColumn>(column: C) => ({ ...column, isNullable: true }) as const
const count = { ...counter, default: 0 } as const
const created = { ...timestamp, default: { now: true } } as const
const onlyRow = { type: 'boolean', default: true, isAlwaysTrue: true } as const

/** Only these values have a default that is not NULL, and are never NULL. */
const metaColumns: Readonly<Record<MetaKind, ServiceColumn>> = {
  text: optional(text),
  list: optional(json),
  integer: optional(integer),
  boolean: { type: 'boolean' },
  json: optional(json),
  'json-text': optional(json),
}

const withMeta = <M extends Readonly<Record<string, MetaColumn>>>(meta: M) =>
  Object.fromEntries(
    Object.entries(meta).map(([column, { kind, default: value }]) => [
      column,
      { ...metaColumns[kind], ...(value === undefined ? {} : { default: value }) },
    ]),
  ) as { readonly [N in keyof M]: ServiceColumn }

/** What the service needs of a collection beside what the contract declares. */
interface Addition {
  /** Columns that requests cannot name. */
  readonly columns?: Readonly<Record<string, ServiceColumn>>
  /** Of texts that the contract declares. */
  readonly lengths?: Readonly<Record<string, number>>
  readonly indexes?: ServiceTable['indexes']
}

type IsNumbered<C extends SystemCollection> = C['columns'][C['key']] extends { readonly type: 'counter' } ? true : false

function collection<const C extends SystemCollection, const A extends Addition>(declared: C, addition: A) {
  const { columns = {}, lengths = {}, indexes = [] }: Addition = addition
  const sized = Object.entries<ServiceColumn>(declared.columns).map(([column, row]) => {
    const length = lengths[column]
    return [column, length === undefined ? row : { ...row, length }] as const
  })
  return {
    note: declared.note,
    key: declared.key as C['key'],
    isNumbered: (declared.columns[declared.key]?.type === 'counter') as IsNumbered<C>,
    uniques: declared.uniques ?? [],
    indexes,
    columns: { ...Object.fromEntries(sized), ...columns } as unknown as C['columns'] &
      (A extends { readonly columns: infer Columns } ? Columns : unknown),
  }
}

/** What the outbox and the log know of a change. */
const change = {
  write: short(64),
  collection: name,
  item: text,
  kind: short(16),
  before: optional(text),
  after: optional(text),
  user: optional(short(64)),
} as const

/** The service's own tables that no request names. */
const inner = {
  service_migrations: {
    note: 'Migrations of these tables that have run.',
    key: 'name',
    columns: { name, applied: created },
  },
  service_version: {
    note: 'Versions of the schema and of the permissions.',
    key: 'only_row',
    columns: {
      only_row: onlyRow,
      version: counter,
      rights: { ...counter, default: 1 },
      /** Schema version, a dot, permission version. */
      stamp: { ...short(50), computed: { joined: ['version', 'rights'] } },
    },
  },
  service_collections: {
    note: 'Notes, icons and display settings of collections.',
    key: 'collection',
    columns: { collection: text, ...withMeta(collectionMeta) },
  },
  service_fields: {
    note: 'Interfaces, notes and validations of fields.',
    key: 'id',
    isNumbered: true,
    columns: { id: integer, collection: text, field: text, ...withMeta(fieldMeta) },
    uniques: [['collection', 'field']],
  },
  service_relations: {
    note: 'Relations that are declared without a foreign key, and their settings.',
    key: 'id',
    isNumbered: true,
    columns: {
      id: integer,
      many_collection: text,
      many_field: text,
      one_collection: optional(text),
      ...withMeta(relationMeta),
    },
    uniques: [['many_collection', 'many_field']],
  },
  service_names: {
    note: 'Names of relation fields and GraphQL types.',
    key: 'id',
    isNumbered: true,
    columns: { id: counter, kind: name, collection: text, subject: text, name: text, instead: optional(text) },
  },
  service_idempotency: {
    note: 'Responses kept for repeated requests.',
    key: ['key', 'caller'],
    columns: {
      key: short(500),
      caller: name,
      request: text,
      status: optional(integer),
      body: optional(text),
      etag: optional(text),
      created,
    },
  },
  service_schema_steps: {
    note: 'The journal of schema changes.',
    key: 'id',
    isNumbered: true,
    columns: { id: counter, kind: text, schema: text, table: text, name: text, created },
  },
  service_login_failures: {
    note: 'Failed logins.',
    key: ['account', 'network'],
    columns: {
      account: short(64),
      network: short(64),
      failures: integer,
      last_failure: timestamp,
      blocked_until: optional(timestamp),
    },
    indexes: [['last_failure']],
  },
  service_one_time: {
    note: 'One-time links and codes that were not used yet.',
    key: ['kind', 'key'],
    columns: { kind: short(64), key: short(64), content: optional(text), expires: timestamp },
    indexes: [['expires']],
  },
  service_locks: {
    note: 'Which replica changes or watches the structure.',
    key: 'name',
    columns: { name, holder: optional(name), fence: count, expires: optional(timestamp) },
  },
  /** The fingerprint of the catalogue that the last announced version stands for. */
  service_watch: {
    note: 'The structure that replicas have been told of.',
    key: 'name',
    columns: { name, fingerprint: optional(name) },
  },
  service_uploads: {
    note: 'Uploads of files that are not complete yet.',
    key: 'id',
    columns: {
      id: short(64),
      kind: short(64),
      caller: short(64),
      content: text,
      state: text,
      file: optional(short(64)),
      holder: optional(short(64)),
      held_until: optional(timestamp),
      expires: timestamp,
    },
    indexes: [['expires']],
  },
  service_outbox: {
    note: 'Changes that are not in the log yet.',
    key: 'seq',
    isNumbered: true,
    columns: { seq: counter, ...change, at: { ...timestamp, default: { clock: true } } },
  },
  service_events: {
    note: 'The log of changes.',
    key: 'position',
    columns: { position: counter, ...change, at: timestamp, size: counter },
    indexes: [['collection', 'position']],
  },
  service_event_head: {
    note: 'The newest position of the log.',
    key: 'only_row',
    columns: {
      only_row: onlyRow,
      epoch: short(32),
      position: count,
      oldest: count,
      bytes: count,
      identity: optional(name),
      mark: optional(name),
    },
  },
  service_event_interest: {
    note: 'Collections whose changes are listened to.',
    key: 'collection',
    columns: { collection: name, since: counter, until: timestamp },
  },
  /** How far an extension has come: in the log of changes, or the last time of a job. */
  service_extension_cursors: {
    note: 'How far extensions have come.',
    key: 'name',
    columns: { name, epoch: short(64), position: counter },
  },
} as const satisfies Readonly<Record<`service_${string}`, ServiceTable>>

/** All tables of the service; referenced ones come first. */
export const tables = {
  ...inner,
  service_activity: collection(collections.service_activity, { indexes: [['collection', 'item']] }),
  service_revisions: collection(collections.service_revisions, { indexes: [['collection', 'item']] }),
  service_roles: collection(collections.service_roles, {}),
  service_users: collection(collections.service_users, {
    columns: {
      // Email addresses are compared by this column.
      email_key: { ...optional(text), isUnique: true, computed: { lower: 'email' } },
      // The last TOTP time step that was used; each step is accepted once.
      tfa_step: optional(counter),
      // How often the user's signed links were revoked.
      link_version: count,
    },
  }),
  service_policies: collection(collections.service_policies, {}),
  service_access: collection(collections.service_access, {}),
  service_permissions: collection(collections.service_permissions, {}),
  service_sessions: collection(collections.service_sessions, {}),
  service_folders: collection(collections.service_folders, {}),
  service_files: collection(collections.service_files, {}),
  service_settings: collection(collections.service_settings, {}),
  service_presets: collection(collections.service_presets, {}),
  service_notifications: collection(collections.service_notifications, {}),
  service_comments: collection(collections.service_comments, {}),
  service_translations: collection(collections.service_translations, {}),
  service_dashboards: collection(collections.service_dashboards, {}),
  service_panels: collection(collections.service_panels, {}),
  service_webhooks: collection(collections.service_webhooks, {
    columns: {
      // Signs beside the new secret for a while after a rotation.
      previous_secret: optional(text),
      rotated: optional(timestamp),
      // The last change of the log that became deliveries; null: it begins at the end of the log.
      epoch: optional(text),
      number: optional(counter),
      // The number of deliveries so far: their order.
      ordinal: count,
      // Failed attempts since the receiver last took a delivery.
      failures: count,
    },
  }),
  service_deliveries: collection(collections.service_deliveries, {
    lengths: { id: 64, collection: 255, position: 255, status: 16 },
    columns: {
      epoch: short(64),
      number: counter,
      ordinal: counter,
      item: short(64),
      content: text,
      tries: { ...integer, default: 0 },
      leased_until: optional(timestamp),
      fence: count,
      ended: optional(timestamp),
      // Set while it is the first one of its item that waits.
      due: optional(timestamp),
    },
    indexes: [
      ['webhook', 'item', 'status', 'ordinal'],
      ['webhook', 'epoch', 'number'],
      ['ended'],
      ['webhook', 'status', 'due', 'ordinal'],
    ],
  }),
} satisfies Readonly<Record<keyof typeof inner | keyof typeof collections, ServiceTable>>

export type TableName = keyof typeof tables

/** For databases where they share a schema with the user's tables. */
export const serviceTableNames: readonly string[] = Object.keys(tables)
