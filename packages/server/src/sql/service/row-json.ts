import { collectionMeta, fieldMeta, relationMeta, type MetaColumn, type MetaKind } from '@tain/contract'
import type { SystemCollection } from '@tain/contract/collections'
import type { JsonMember, StoredType } from '../dialect.ts'
import { column, type Sql } from '../sql.ts'

/** How the columns of a service table become JSON, for databases that cannot convert a whole row. */
export type RowJson = Readonly<Record<string, RowJsonKind>>

export type RowJsonKind = 'plain' | 'text' | 'boolean' | 'timestamp' | 'json'

const kindOf: Readonly<Record<MetaKind, RowJsonKind>> = {
  text: 'text',
  list: 'json',
  integer: 'plain',
  boolean: 'boolean',
  json: 'json',
  'json-text': 'json',
}

const withMeta = (shape: RowJson, meta: Readonly<Record<string, MetaColumn>>): RowJson => ({
  ...shape,
  ...Object.fromEntries(Object.entries(meta).map(([name, { kind }]) => [name, kindOf[kind]])),
})

export const serviceRowJson = {
  service_collections: withMeta({ collection: 'text' }, collectionMeta),
  service_fields: withMeta({ id: 'plain', collection: 'text', field: 'text' }, fieldMeta),
  service_relations: withMeta(
    { id: 'plain', many_collection: 'text', many_field: 'text', one_collection: 'text' },
    relationMeta,
  ),
  service_names: { kind: 'text', collection: 'text', subject: 'text', name: 'text', instead: 'text' },
  service_event_interest: { collection: 'text', since: 'plain' },
  service_roles: { id: 'text', parent: 'text' },
  service_policies: {
    id: 'text',
    ip_access: 'json',
    enforce_tfa: 'boolean',
    admin_access: 'boolean',
    app_access: 'boolean',
  },
  service_access: { id: 'text', role: 'text', user: 'text', policy: 'text', sort: 'plain' },
  service_permissions: {
    id: 'plain',
    policy: 'text',
    collection: 'text',
    action: 'text',
    permissions: 'json',
    validation: 'json',
    presets: 'json',
    fields: 'json',
  },
} as const satisfies Readonly<Record<string, RowJson>>

const declaredKinds: Readonly<Record<StoredType, RowJsonKind>> = {
  boolean: 'boolean',
  integer: 'plain',
  counter: 'plain',
  bigint: 'plain',
  text: 'text',
  uuid: 'text',
  timestamp: 'text',
  json: 'json',
}

export const declaredRowJson = (columns: SystemCollection['columns']): RowJson =>
  Object.fromEntries(Object.entries(columns).map(([name, { type }]) => [name, declaredKinds[type]]))

/** The members of the JSON object for a row of `source`. */
export const rowJsonMembers = (
  source: string,
  shape: RowJson,
  shown: Readonly<Record<RowJsonKind, (column: Sql) => Sql>>,
): JsonMember[] =>
  Object.entries(shape).map(([name, kind]) => ({
    name,
    isCatalogueName: true,
    value: shown[kind](column(source, name)),
  }))
