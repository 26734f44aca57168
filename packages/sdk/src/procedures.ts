// Made by "npm run sdk:procedures" from the tables of the contract. Do not edit: it is written anew.

import type { ItemProcedure, NoInput, Procedure } from './procedure.ts'

export type FilesUrl = { readonly url: string; readonly expires_on: string }

export type WebhooksReplayed = { readonly replayed: number }

export type WebhooksTest = { readonly status: number | null; readonly duration: number; readonly error: string | null }

export type WebhooksSecret = { readonly id: string; readonly secret: string }

export type AuthTokens = { readonly access_token?: string; readonly refresh_token?: string; readonly expires: number }

export type UsersMeTfaGenerateData = { readonly secret: string; readonly otpauth_url: string }

export type PoliciesMeGlobals = {
  readonly app_access: boolean
  readonly admin_access?: boolean
  readonly enforce_tfa?: boolean
}

export type ServerInfo = {
  readonly project: Readonly<Record<string, unknown>>
  readonly version?: string
  readonly rateLimit?: unknown
  readonly rateLimitGlobal?: unknown
  readonly queryLimit?: Readonly<Record<string, unknown>>
  readonly websocket?: unknown
  readonly realtime?: Readonly<Record<string, unknown>>
  readonly files?: Readonly<Record<string, unknown>>
  readonly uploads?: Readonly<Record<string, unknown>>
}

export type ServiceFieldsSchema = {
  readonly name: string
  readonly table: string
  readonly schema: string
  readonly data_type: string
  readonly default_value: unknown
  readonly max_length: number | null
  readonly numeric_precision: number | null
  readonly numeric_scale: number | null
  readonly is_generated: boolean
  readonly generation_expression: string | null
  readonly is_nullable: boolean
  readonly is_unique: boolean
  readonly is_indexed: boolean
  readonly is_primary_key: boolean
  readonly has_auto_increment: boolean
  readonly foreign_key_schema: string | null
  readonly foreign_key_table: string | null
  readonly foreign_key_column: string | null
  readonly comment: string | null
  readonly enum_values?: readonly string[]
}

export type ServiceFieldsMeta = {
  readonly id: number
  readonly collection: string
  readonly field: string
  readonly special: string | null
  readonly interface: string | null
  readonly options: unknown
  readonly display: string | null
  readonly display_options: string | null
  readonly readonly: boolean
  readonly hidden: boolean
  readonly required: boolean
  readonly searchable: boolean
  readonly sort: number | null
  readonly width: string | null
  readonly group: string | null
  readonly translations: unknown
  readonly note: string | null
  readonly conditions: unknown
  readonly validation: unknown
  readonly validation_message: string | null
  readonly system?: boolean
}

export type ServiceFields = {
  readonly collection: string
  readonly field: string
  readonly type: string
  readonly schema?: ServiceFieldsSchema
  readonly meta: ServiceFieldsMeta | null
}

export type CreateServiceFieldsInput = {
  readonly collection?: string | null
  readonly field: string
  readonly type: string
  readonly meta?: Readonly<Record<string, unknown>> | null
  readonly schema?: Readonly<Record<string, unknown>> | null
}

export type UpdateServiceFieldsInput = {
  readonly collection?: string | null
  readonly field?: string | null
  readonly type?: string | null
  readonly meta?: Readonly<Record<string, unknown>> | null
  readonly schema?: Readonly<Record<string, unknown>> | null
}

export type ServiceCollectionsSchema = {
  readonly name: string
  readonly schema: string
  readonly comment: string | null
  readonly kind: string
  readonly is_read_only: boolean
}

export type ServiceCollectionsMeta = {
  readonly collection: string
  readonly icon: string | null
  readonly note: string | null
  readonly display_template: string | null
  readonly hidden: boolean
  readonly singleton: boolean
  readonly translations: unknown
  readonly archive_field: string | null
  readonly archive_app_filter: boolean
  readonly archive_value: string | null
  readonly unarchive_value: string | null
  readonly sort_field: string | null
  readonly accountability: string | null
  readonly color: string | null
  readonly item_duplication_fields: unknown
  readonly sort: number | null
  readonly group: string | null
  readonly collapse: string | null
  readonly preview_url: string | null
  readonly versioning: boolean
  readonly system?: boolean
}

export type ServiceCollections = {
  readonly collection: string
  readonly schema: ServiceCollectionsSchema | null
  readonly meta: ServiceCollectionsMeta | null
}

export type CreateServiceCollectionsInput = {
  readonly collection: string
  readonly meta?: Readonly<Record<string, unknown>> | null
  readonly schema?: Readonly<Record<string, unknown>> | null
  readonly fields?: readonly CreateServiceFieldsInput[] | null
}

export type UpdateServiceCollectionsInput = {
  readonly collection?: string | null
  readonly meta?: Readonly<Record<string, unknown>> | null
  readonly schema?: Readonly<Record<string, unknown>> | null
}

export type ServiceRelationsSchema = {
  readonly table: string
  readonly column: string
  readonly columns?: readonly string[]
  readonly foreign_key_schema: string
  readonly foreign_key_table: string
  readonly foreign_key_column: string
  readonly foreign_key_columns?: readonly string[]
  readonly constraint_name: string
  readonly on_update: string
  readonly on_delete: string
}

export type ServiceRelationsMeta = {
  readonly id: number | null
  readonly many_collection: string
  readonly many_field: string
  readonly one_collection: string | null
  readonly one_field: string | null
  readonly one_collection_field: string | null
  readonly one_allowed_collections: readonly string[] | null
  readonly junction_field: string | null
  readonly sort_field: string | null
  readonly one_deselect_action: string | null
  readonly system?: boolean
}

export type ServiceRelations = {
  readonly collection: string
  readonly field: string
  readonly related_collection: string | null
  readonly schema: ServiceRelationsSchema | null
  readonly meta: ServiceRelationsMeta | null
}

export type CreateServiceRelationsInput = {
  readonly collection: string
  readonly field: string
  readonly related_collection?: string | null
  readonly meta?: Readonly<Record<string, unknown>> | null
  readonly schema?: Readonly<Record<string, unknown>> | null
}

export type UpdateServiceRelationsInput = {
  readonly collection?: string | null
  readonly field?: string | null
  readonly related_collection?: string | null
  readonly meta?: Readonly<Record<string, unknown>> | null
  readonly schema?: Readonly<Record<string, unknown>> | null
}

/** `GET /server/specs/oas`; for anybody. */
export const readOpenApi: Procedure<{ readonly openapi?: string | null }, Readonly<Record<string, unknown>>> = {
  rest: [['GET', '/server/specs/oas']],
  input: { openapi: 'query' },
  read: 'json',
  isSafe: true,
}

/** `GET /server/specs/schema`; for anybody. */
export const readDescription: Procedure<
  NoInput,
  {
    readonly version: 1
    readonly collections: readonly {
      readonly name: string
      readonly type: string
      readonly path: string
      readonly note?: string
      readonly key: readonly string[]
      readonly singleton?: true
      readonly may: readonly ('read' | 'create' | 'update' | 'delete')[]
      readonly fields: readonly {
        readonly name: string
        readonly type:
          | 'string'
          | 'text'
          | 'csv'
          | 'binary'
          | 'uuid'
          | 'integer'
          | 'bigInteger'
          | 'float'
          | 'decimal'
          | 'boolean'
          | 'date'
          | 'dateTime'
          | 'time'
          | 'timestamp'
          | 'json'
          | 'hash'
          | 'geometry'
          | 'geometry.Point'
          | 'geometry.LineString'
          | 'geometry.Polygon'
          | 'geometry.MultiPoint'
          | 'geometry.MultiLineString'
          | 'geometry.MultiPolygon'
          | 'unknown'
          | 'alias'
        readonly note?: string
        readonly values?: readonly string[]
        readonly numbers?: true
        readonly relation?: {
          readonly kind: 'one' | 'many' | 'any'
          readonly to: readonly string[]
          readonly collection?: string
        }
        readonly inferred?: true
        readonly read?: 'value' | 'nullable'
        readonly create?: 'required' | 'optional'
        readonly update?: true
        readonly clearable?: true
      }[]
    }[]
  }
> = { rest: [['GET', '/server/specs/schema']], input: {}, read: 'json', isSafe: true }

/** `GET /server/specs/graphql`, `GET /server/specs/graphql/system`; for anybody. */
export const readSdl: Procedure<{ readonly scope?: 'items' | 'system' | null }, string> = {
  rest: [
    ['GET', '/server/specs/graphql', { scope: 'items' }],
    ['GET', '/server/specs/graphql/system', { scope: 'system' }],
  ],
  input: { scope: 'address' },
  read: 'text',
  isSafe: true,
}

/** `GET /server/specs/graphql/item`; for anybody. */
export const showSdl: Procedure<NoInput, string> = {
  rest: [['GET', '/server/specs/graphql/item']],
  input: {},
  read: 'text',
  isSafe: true,
}

/** `POST /utils/sort/:collection`; for users. */
export const sortItems: Procedure<{ readonly collection: string; readonly item: unknown; readonly to: unknown }, void> =
  {
    rest: [['POST', '/utils/sort/:collection']],
    input: { collection: 'path', item: 'body', to: 'body' },
    read: 'nothing',
  }

/** `POST /utils/revert/:revision`; for users. */
export const revertItem: Procedure<{ readonly revision: string }, void> = {
  rest: [['POST', '/utils/revert/:revision']],
  input: { revision: 'path' },
  read: 'nothing',
}

/** `POST /files/import`; for anybody. */
export const importFile: ItemProcedure<'service_files', false, { readonly url: string; readonly data?: unknown }> = {
  rest: [['POST', '/files/import']],
  input: { url: 'body', data: 'body' },
  read: 'data',
  items: 'service_files',
  isList: false,
}

/** `GET /files/:id/url`; for anybody. */
export const getFileUrl: Procedure<
  {
    readonly id: string
    readonly expires_in?: number | null
    readonly download?: string | null
    readonly key?: string | null
    readonly width?: string | null
    readonly height?: string | null
    readonly fit?: string | null
    readonly format?: string | null
    readonly quality?: string | null
    readonly withoutEnlargement?: string | null
    readonly focal_point_x?: string | null
    readonly focal_point_y?: string | null
    readonly transforms?: string | null
  },
  FilesUrl
> = {
  rest: [['GET', '/files/:id/url']],
  input: {
    id: 'path',
    expires_in: 'query',
    download: 'query',
    key: 'query',
    width: 'query',
    height: 'query',
    fit: 'query',
    format: 'query',
    quality: 'query',
    withoutEnlargement: 'query',
    focal_point_x: 'query',
    focal_point_y: 'query',
    transforms: 'query',
  },
  read: 'data',
  isSafe: true,
}

/** `POST /utils/export/:collection`; for users. */
export const exportItems: Procedure<
  {
    readonly collection: string
    readonly query: unknown
    readonly format: 'csv' | 'csv_utf8' | 'json' | 'xml' | 'yaml'
    readonly file?: unknown
  },
  void
> = {
  rest: [['POST', '/utils/export/:collection']],
  input: { collection: 'path', query: 'body', format: 'body', file: 'body' },
  read: 'nothing',
}

/** `GET /webhooks/:id/deliveries`; for administrators. */
export const listDeliveries: ItemProcedure<'service_deliveries', true, { readonly id: string }> = {
  rest: [['GET', '/webhooks/:id/deliveries']],
  input: { id: 'path' },
  read: 'data',
  isSafe: true,
  items: 'service_deliveries',
  isList: true,
}

/** `POST /webhooks/:id/deliveries/:delivery/replay`; for administrators. */
export const replayDelivery: Procedure<{ readonly id: string; readonly delivery: string }, WebhooksReplayed> = {
  rest: [['POST', '/webhooks/:id/deliveries/:delivery/replay']],
  input: { id: 'path', delivery: 'path' },
  read: 'data',
}

/** `POST /webhooks/:id/replay`; for administrators. */
export const replayDeliveries: Procedure<
  { readonly id: string; readonly from: string; readonly to?: string | null },
  WebhooksReplayed
> = { rest: [['POST', '/webhooks/:id/replay']], input: { id: 'path', from: 'body', to: 'body' }, read: 'data' }

/** `POST /webhooks/:id/test`; for administrators. */
export const testWebhook: Procedure<{ readonly id: string }, WebhooksTest> = {
  rest: [['POST', '/webhooks/:id/test']],
  input: { id: 'path' },
  read: 'data',
}

/** `POST /webhooks/:id/rotate`; for administrators. */
export const rotateWebhook: Procedure<{ readonly id: string }, WebhooksSecret> = {
  rest: [['POST', '/webhooks/:id/rotate']],
  input: { id: 'path' },
  read: 'data',
}

/** `GET /auth`; for anybody. */
export const listProviders: Procedure<
  NoInput,
  { readonly data: readonly unknown[]; readonly disableDefault: boolean }
> = { rest: [['GET', '/auth']], input: {}, read: 'json', isSafe: true, isOpen: true }

/** `POST /auth/login`; for anybody. */
export const login: Procedure<
  {
    readonly email: string
    readonly password: string
    readonly otp?: string | null
    readonly mode?: 'json' | 'cookie' | 'session' | null
  },
  AuthTokens
> = {
  rest: [['POST', '/auth/login']],
  input: { email: 'body', password: 'body', mode: 'body', otp: 'body' },
  read: 'data',
  isOpen: true,
}

/** `POST /auth/refresh`; for anybody. */
export const refresh: Procedure<
  { readonly mode?: 'json' | 'cookie' | 'session' | null; readonly refresh_token?: string | null },
  AuthTokens
> = { rest: [['POST', '/auth/refresh']], input: { refresh_token: 'body', mode: 'body' }, read: 'data', isOpen: true }

/** `POST /auth/logout`; for anybody. */
export const logout: Procedure<
  { readonly mode?: 'json' | 'cookie' | 'session' | null; readonly refresh_token?: string | null },
  void
> = { rest: [['POST', '/auth/logout']], input: { refresh_token: 'body', mode: 'body' }, read: 'nothing', isOpen: true }

/** `POST /auth/password/request`; for anybody. */
export const requestPassword: Procedure<{ readonly email: string; readonly reset_url?: string | null }, void> = {
  rest: [['POST', '/auth/password/request']],
  input: { email: 'body', reset_url: 'body' },
  read: 'nothing',
  isOpen: true,
}

/** `POST /auth/password/reset`; for anybody. */
export const resetPassword: Procedure<{ readonly token: string; readonly password: string }, void> = {
  rest: [['POST', '/auth/password/reset']],
  input: { token: 'body', password: 'body' },
  read: 'nothing',
  isOpen: true,
}

/** `POST /users/invite`; for users. */
export const invite: Procedure<
  { readonly email: string | readonly string[]; readonly role: string; readonly invite_url?: string | null },
  void
> = { rest: [['POST', '/users/invite']], input: { email: 'body', role: 'body', invite_url: 'body' }, read: 'nothing' }

/** `POST /users/invite/accept`; for anybody. */
export const acceptInvite: Procedure<{ readonly token: string; readonly password: string }, void> = {
  rest: [['POST', '/users/invite/accept']],
  input: { token: 'body', password: 'body' },
  read: 'nothing',
  isOpen: true,
}

/** `POST /users/register`; for anybody. */
export const register: Procedure<
  {
    readonly email: string
    readonly password: string
    readonly first_name?: string | null
    readonly last_name?: string | null
    readonly verification_url?: string | null
  },
  void
> = {
  rest: [['POST', '/users/register']],
  input: { email: 'body', password: 'body', verification_url: 'body', first_name: 'body', last_name: 'body' },
  read: 'nothing',
  isOpen: true,
}

/** `GET /users/register/verify-email`; for anybody. */
export const verifyEmail: Procedure<{ readonly token: string }, void> = {
  rest: [['GET', '/users/register/verify-email']],
  input: { token: 'query' },
  read: 'redirect',
  isOpen: true,
}

/** `POST /users/me/tfa/generate`; for users. */
export const generateTfa: Procedure<{ readonly password?: string | null }, UsersMeTfaGenerateData> = {
  rest: [['POST', '/users/me/tfa/generate']],
  input: { password: 'body' },
  read: 'data',
}

/** `POST /users/me/tfa/enable`; for users. */
export const enableTfa: Procedure<{ readonly secret: string; readonly otp: string }, void> = {
  rest: [['POST', '/users/me/tfa/enable']],
  input: { otp: 'body', secret: 'body' },
  read: 'nothing',
}

/** `POST /users/me/tfa/disable`; for users. */
export const disableTfa: Procedure<{ readonly otp: string }, void> = {
  rest: [['POST', '/users/me/tfa/disable']],
  input: { otp: 'body' },
  read: 'nothing',
}

/** `POST /users/:id/tfa/disable`; for administrators. */
export const disableTfaOf: Procedure<{ readonly id: string }, void> = {
  rest: [['POST', '/users/:id/tfa/disable']],
  input: { id: 'path' },
  read: 'nothing',
}

/** `POST /users/me/links/revoke`; for users. */
export const revokeLinks: Procedure<NoInput, void> = {
  rest: [['POST', '/users/me/links/revoke']],
  input: {},
  read: 'nothing',
}

/** `POST /users/:id/links/revoke`; for administrators. */
export const revokeLinksOf: Procedure<{ readonly id: string }, void> = {
  rest: [['POST', '/users/:id/links/revoke']],
  input: { id: 'path' },
  read: 'nothing',
}

/** `POST /server/setup`; for anybody. */
export const setup: Procedure<
  {
    readonly token: string
    readonly admin: {
      readonly email: string
      readonly password: string
      readonly first_name?: string | null
      readonly last_name?: string | null
    }
  },
  void
> = { rest: [['POST', '/server/setup']], input: { token: 'body', admin: 'body' }, read: 'nothing', isOpen: true }

/** `GET /users/me`; for users. */
export const readMe: ItemProcedure<'service_users', false> = {
  rest: [['GET', '/users/me']],
  input: {},
  read: 'data',
  isSafe: true,
  items: 'service_users',
  isList: false,
}

/** `PATCH /users/me/track/page`; for users. */
export const trackPage: Procedure<{ readonly last_page: string | null }, void> = {
  rest: [['PATCH', '/users/me/track/page']],
  input: { last_page: 'body' },
  read: 'nothing',
}

/** `GET /roles/me`; for users. */
export const myRoles: ItemProcedure<'service_roles', true> = {
  rest: [['GET', '/roles/me']],
  input: {},
  read: 'data',
  isSafe: true,
  items: 'service_roles',
  isList: true,
}

/** `GET /policies/me/globals`; for anybody. */
export const myGlobals: Procedure<NoInput, PoliciesMeGlobals> = {
  rest: [['GET', '/policies/me/globals']],
  input: {},
  read: 'data',
  isSafe: true,
}

/** `GET /permissions/me`; for users. */
export const myPermissions: Procedure<
  NoInput,
  Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly access: 'none' | 'partial' | 'full'
            readonly fields?: readonly string[]
            readonly presets?: Readonly<Record<string, unknown>>
          }
        >
      >
    >
  >
> = { rest: [['GET', '/permissions/me']], input: {}, read: 'data', isSafe: true }

/** `GET /permissions/me/:collection`, `GET /permissions/me/:collection/:key`; for users. */
export const myItemPermissions: Procedure<
  { readonly collection: string; readonly key?: string | null },
  Readonly<
    Record<
      string,
      {
        readonly access: boolean
        readonly fields?: readonly string[]
        readonly presets?: Readonly<Record<string, unknown>>
      }
    >
  >
> = {
  rest: [
    ['GET', '/permissions/me/:collection'],
    ['GET', '/permissions/me/:collection/:key'],
  ],
  input: { collection: 'path', key: 'raw path' },
  read: 'data',
  isSafe: true,
}

/** `POST /permissions/explain`; for administrators. */
export const explain: Procedure<
  {
    readonly request: {
      readonly user: string | null
      readonly method: 'GET' | 'SEARCH' | 'QUERY' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
      readonly path: string
      readonly query?: Readonly<Record<string, unknown>> | null
      readonly body?: unknown
      readonly ip?: string | null
    }
  },
  {
    readonly collection: string
    readonly actions: readonly ('create' | 'read' | 'update' | 'delete' | 'share')[]
    readonly allowed: boolean
    readonly reason: string | null
    readonly admin: boolean
    readonly policies: readonly string[]
    readonly rules: readonly {
      readonly permission: number | null
      readonly policy: string | null
      readonly action: 'create' | 'read' | 'update' | 'delete' | 'share'
      readonly rule: unknown
      readonly validation: unknown
      readonly presets: unknown
      readonly fields: readonly string[]
      readonly holds: boolean | null
      readonly predicate: string | null
    }[]
    readonly fields: readonly string[]
    readonly masked: readonly string[]
  }
> = { rest: [['POST', '/permissions/explain']], input: { request: 'whole body' }, read: 'data', isSafe: true }

/** `POST /permissions/preview`; for administrators. */
export const previewPermissions: Procedure<
  {
    readonly request: {
      readonly user?: string | null
      readonly collection: string
      readonly action: 'create' | 'read' | 'update' | 'delete' | 'share'
      readonly changes: readonly {
        readonly id?: number | null
        readonly delete?: boolean
        readonly policy?: string | null
        readonly collection?: string | null
        readonly action?: 'create' | 'read' | 'update' | 'delete' | 'share' | null
        readonly permissions?: Readonly<Record<string, unknown>> | null
        readonly validation?: Readonly<Record<string, unknown>> | null
        readonly presets?: Readonly<Record<string, unknown>> | null
        readonly fields?: readonly string[] | null
      }[]
      readonly count_up_to?: number | null
      readonly limit?: number | null
    }
  },
  {
    readonly before: {
      readonly access: 'none' | 'partial' | 'full'
      readonly fields: readonly string[]
      readonly count: number
      readonly is_capped: boolean
    }
    readonly after: {
      readonly access: 'none' | 'partial' | 'full'
      readonly fields: readonly string[]
      readonly count: number
      readonly is_capped: boolean
    }
    readonly examined: number
    readonly gained: readonly Readonly<Record<string, unknown>>[]
    readonly lost: readonly Readonly<Record<string, unknown>>[]
  }
> = { rest: [['POST', '/permissions/preview']], input: { request: 'whole body' }, read: 'data', isSafe: true }

/** `GET /server/app`; for anybody. */
export const appStart: Procedure<
  NoInput,
  {
    readonly me: Readonly<Record<string, unknown>> | null
    readonly globals: PoliciesMeGlobals
    readonly project: Readonly<Record<string, unknown>>
    readonly version?: string
    readonly schema_version: string | null
    readonly collections: readonly {
      readonly collection: string
      readonly kind: 'table' | 'partitioned' | 'view' | 'materialized-view' | 'foreign' | 'folder'
      readonly key: readonly string[]
      readonly access: number
      readonly label?: string
      readonly note?: string
      readonly icon?: string
      readonly color?: string
      readonly group?: string
      readonly sort?: number
      readonly hidden?: boolean
      readonly singleton?: boolean
      readonly system?: boolean
      readonly read_only?: boolean
      readonly display_template?: string
      readonly sort_field?: string
      readonly estimated_rows?: number
    }[]
  }
> = { rest: [['GET', '/server/app']], input: {}, read: 'data', isSafe: true }

/** `GET /server/info`; for anybody. */
export const serverInfo: Procedure<NoInput, ServerInfo> = {
  rest: [['GET', '/server/info']],
  input: {},
  read: 'data',
  isSafe: true,
}

/** `GET /server/health`; for users. */
export const serverHealth: Procedure<NoInput, { readonly status: 'ok' | 'warn' | 'error' }> = {
  rest: [['GET', '/server/health']],
  input: {},
  read: 'health',
  isSafe: true,
}

/** `GET /server/ping`; for anybody. */
export const serverPing: Procedure<NoInput, string> = {
  rest: [['GET', '/server/ping']],
  input: {},
  read: 'text',
  isSafe: true,
  isOpen: true,
}

/** `GET /server/ready`; for anybody. */
export const serverReady: Procedure<NoInput, string> = {
  rest: [['GET', '/server/ready']],
  input: {},
  read: 'text',
  isSafe: true,
  isOpen: true,
}

/** `GET /utils/random/string`; for anybody. */
export const randomText: Procedure<{ readonly length?: number | null }, string> = {
  rest: [['GET', '/utils/random/string']],
  input: { length: 'query' },
  read: 'data',
  isSafe: true,
}

/** `POST /utils/cache/clear`; for administrators. */
export const clearCache: Procedure<NoInput, void> = {
  rest: [['POST', '/utils/cache/clear']],
  input: {},
  read: 'nothing',
}

/** `GET /fields`; for users. */
export const listFields: Procedure<NoInput, readonly ServiceFields[]> = {
  rest: [['GET', '/fields']],
  input: {},
  read: 'data',
  isSafe: true,
}

/** `GET /fields/:collection`; for users. */
export const fieldsOf: Procedure<{ readonly collection: string }, readonly ServiceFields[]> = {
  rest: [['GET', '/fields/:collection']],
  input: { collection: 'path' },
  read: 'data',
  isSafe: true,
}

/** `GET /fields/:collection/:field`; for users. */
export const readField: Procedure<{ readonly collection: string; readonly field: string }, ServiceFields> = {
  rest: [['GET', '/fields/:collection/:field']],
  input: { collection: 'path', field: 'path' },
  read: 'data',
  isSafe: true,
}

/** `POST /fields/:collection`; for administrators. */
export const createField: Procedure<
  { readonly collection: string; readonly data: CreateServiceFieldsInput },
  ServiceFields
> = { rest: [['POST', '/fields/:collection']], input: { collection: 'path', data: 'whole body' }, read: 'data' }

/** `PATCH /fields/:collection`; for administrators. */
export const updateFields: Procedure<
  { readonly collection: string; readonly data: readonly UpdateServiceFieldsInput[] },
  readonly ServiceFields[]
> = { rest: [['PATCH', '/fields/:collection']], input: { collection: 'path', data: 'whole body' }, read: 'data' }

/** `PATCH /fields/:collection/:field`; for administrators. */
export const updateField: Procedure<
  { readonly collection: string; readonly field: string; readonly data: UpdateServiceFieldsInput },
  ServiceFields
> = {
  rest: [['PATCH', '/fields/:collection/:field']],
  input: { collection: 'path', field: 'path', data: 'whole body' },
  read: 'data',
}

/** `DELETE /fields/:collection/:field`; for administrators. */
export const deleteField: Procedure<{ readonly collection: string; readonly field: string }, void> = {
  rest: [['DELETE', '/fields/:collection/:field']],
  input: { collection: 'path', field: 'path' },
  read: 'nothing',
}

/** `GET /collections`; for users. */
export const listCollections: Procedure<NoInput, readonly ServiceCollections[]> = {
  rest: [['GET', '/collections']],
  input: {},
  read: 'data',
  isSafe: true,
}

/** `SEARCH /collections`; for users. */
export const namedCollections: Procedure<{ readonly keys: readonly string[] }, readonly ServiceCollections[]> = {
  rest: [['SEARCH', '/collections']],
  input: { keys: 'body' },
  read: 'data',
  isSafe: true,
}

/** `GET /collections/:collection`; for users. */
export const readCollection: Procedure<{ readonly collection: string }, ServiceCollections> = {
  rest: [['GET', '/collections/:collection']],
  input: { collection: 'path' },
  read: 'data',
  isSafe: true,
}

/** `POST /collections`; for administrators. */
export const createCollection: Procedure<{ readonly data: CreateServiceCollectionsInput }, ServiceCollections> = {
  rest: [['POST', '/collections']],
  input: { data: 'whole body' },
  read: 'data',
}

/** `PATCH /collections`; for administrators. */
export const updateCollections: Procedure<
  { readonly data: readonly UpdateServiceCollectionsInput[] },
  readonly ServiceCollections[]
> = { rest: [['PATCH', '/collections']], input: { data: 'whole body' }, read: 'data' }

/** `PATCH /collections/:collection`; for administrators. */
export const updateCollection: Procedure<
  { readonly collection: string; readonly data: UpdateServiceCollectionsInput },
  ServiceCollections
> = { rest: [['PATCH', '/collections/:collection']], input: { collection: 'path', data: 'whole body' }, read: 'data' }

/** `DELETE /collections/:collection`; for administrators. */
export const deleteCollection: Procedure<{ readonly collection: string }, void> = {
  rest: [['DELETE', '/collections/:collection']],
  input: { collection: 'path' },
  read: 'nothing',
}

/** `GET /relations`; for users. */
export const listRelations: Procedure<NoInput, readonly ServiceRelations[]> = {
  rest: [['GET', '/relations']],
  input: {},
  read: 'data',
  isSafe: true,
}

/** `GET /relations/:collection`; for users. */
export const relationsOf: Procedure<{ readonly collection: string }, readonly ServiceRelations[]> = {
  rest: [['GET', '/relations/:collection']],
  input: { collection: 'path' },
  read: 'data',
  isSafe: true,
}

/** `GET /relations/:collection/:field`; for users. */
export const readRelation: Procedure<{ readonly collection: string; readonly field: string }, ServiceRelations> = {
  rest: [['GET', '/relations/:collection/:field']],
  input: { collection: 'path', field: 'path' },
  read: 'data',
  isSafe: true,
}

/** `POST /relations`; for administrators. */
export const createRelation: Procedure<{ readonly data: CreateServiceRelationsInput }, ServiceRelations> = {
  rest: [['POST', '/relations']],
  input: { data: 'whole body' },
  read: 'data',
}

/** `PATCH /relations/:collection/:field`; for administrators. */
export const updateRelation: Procedure<
  { readonly collection: string; readonly field: string; readonly data: UpdateServiceRelationsInput },
  ServiceRelations
> = {
  rest: [['PATCH', '/relations/:collection/:field']],
  input: { collection: 'path', field: 'path', data: 'whole body' },
  read: 'data',
}

/** `DELETE /relations/:collection/:field`; for administrators. */
export const deleteRelation: Procedure<{ readonly collection: string; readonly field: string }, void> = {
  rest: [['DELETE', '/relations/:collection/:field']],
  input: { collection: 'path', field: 'path' },
  read: 'nothing',
}

/** `GET /schema/snapshot`; for administrators. */
export const readSnapshot: Procedure<
  {
    readonly export?: 'json' | 'yaml' | null
    readonly include?: readonly string[]
    readonly includeCollections?: readonly string[]
    readonly excludeCollections?: readonly string[]
  },
  Readonly<Record<string, unknown>>
> = {
  rest: [['GET', '/schema/snapshot']],
  input: { export: 'query', include: 'query list', includeCollections: 'query list', excludeCollections: 'query list' },
  read: 'data or text',
  isSafe: true,
}

/** `POST /schema/diff`; for administrators. */
export const diffSnapshot: Procedure<
  {
    readonly mode?: 'merge' | 'mirror' | null
    readonly force?: boolean | null
    readonly includeCollections?: readonly string[]
    readonly excludeCollections?: readonly string[]
  } & { readonly document: unknown },
  Readonly<Record<string, unknown>>
> = {
  rest: [['POST', '/schema/diff']],
  input: { mode: 'query', force: 'query', includeCollections: 'query list', excludeCollections: 'query list' },
  read: 'data',
  isSafe: true,
  hasDocument: true,
}

/** `POST /schema/apply`; for administrators. */
export const applyDiff: Procedure<
  { readonly force?: boolean | null; readonly allow_data_loss?: boolean | null } & { readonly document: unknown },
  void
> = {
  rest: [['POST', '/schema/apply']],
  input: { force: 'query', allow_data_loss: 'query' },
  read: 'data',
  hasDocument: true,
}
