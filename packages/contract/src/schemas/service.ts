import { Type } from 'typebox'
import { actions } from '../actions.ts'
import type { ServiceProcedureName } from '../procedures/service.ts'
import { anything, json, nothing, nullable, object, optional, passedOn } from './parts.ts'
import type { ProcedureSchema } from './procedure-schema.ts'

const LONGEST_PAGE = 255
const LONGEST_RANDOM_TEXT = 500

const action = Type.Enum([...actions])
const fields = Type.Array(Type.String())

const explanation = object({
  collection: Type.String(),
  actions: Type.Array(action),
  allowed: Type.Boolean(),
  /** The reason for a refusal, or a hint; null if there is none. */
  reason: nullable(Type.String()),
  admin: Type.Boolean(),
  /** Keys of the policies that grant access. */
  policies: Type.Array(Type.String()),
  rules: Type.Array(
    object({
      permission: nullable(Type.Integer()),
      policy: nullable(Type.String()),
      action,
      rule: anything,
      validation: anything,
      presets: anything,
      fields,
      /** Whether it applies to the item in the URL; null if there is none. */
      holds: nullable(Type.Boolean()),
      predicate: nullable(Type.String()),
    }),
  ),
  /** Fields that are visible in some rows. */
  fields,
  /** Visible fields that show their value only in rows where a rule applies. */
  masked: fields,
})

/** `user` null: the public. `ip`: without it, policies limited to some addresses do not apply. */
const request = object({
  user: nullable(Type.String({ format: 'uuid' })),
  method: Type.Enum(['GET', 'SEARCH', 'QUERY', 'POST', 'PATCH', 'PUT', 'DELETE']),
  path: Type.String({ description: 'An address of items, or of one of the service’s own collections.' }),
  query: optional(json),
  body: Type.Optional(anything),
  ip: optional(Type.String()),
})

const presets = Type.Optional(json)

/** A permission that is not saved. With `id` it replaces a stored one. */
const permissionChange = object({
  id: optional(Type.Integer()),
  delete: Type.Optional(Type.Boolean()),
  policy: optional(Type.String({ format: 'uuid' })),
  collection: optional(Type.String()),
  action: optional(action),
  permissions: optional(json),
  validation: optional(json),
  presets: optional(json),
  fields: optional(fields),
})

/** The most rows that a preview counts, and the most that it shows. */
export const previewLimits = { counted: 1_000_000, shown: 100 } as const

/** `user` null or absent: the public. */
const previewRequest = object({
  user: optional(Type.String({ format: 'uuid' })),
  collection: Type.String(),
  action,
  changes: Type.Array(permissionChange),
  count_up_to: optional(Type.Integer({ minimum: 1, maximum: previewLimits.counted })),
  limit: optional(Type.Integer({ minimum: 0, maximum: previewLimits.shown })),
})

const effect = object({
  access: Type.Enum(['none', 'partial', 'full']),
  fields,
  /** Rows that the action is allowed for. */
  count: Type.Integer(),
  /** Whether there are more. */
  is_capped: Type.Boolean(),
})

const globals = object(
  {
    app_access: Type.Boolean(),
    admin_access: Type.Optional(Type.Boolean()),
    enforce_tfa: Type.Optional(Type.Boolean()),
  },
  { title: 'policies_me_globals' },
)

/** A collection as the app lists it. Members without a value are left out. */
const appCollection = object({
  collection: Type.String(),
  /** `folder`: it has no table. */
  kind: Type.Enum(['table', 'partitioned', 'view', 'materialized-view', 'foreign', 'folder']),
  /** Empty if there is none, or if the caller may not read it. */
  key: Type.Array(Type.String()),
  /** Two bits for each of create, read, update, delete and share: 0 none, 1 some rows, 2 all rows. */
  access: Type.Integer(),
  /** In the language of the caller. */
  label: Type.Optional(Type.String()),
  note: Type.Optional(Type.String()),
  icon: Type.Optional(Type.String()),
  color: Type.Optional(Type.String()),
  group: Type.Optional(Type.String()),
  sort: Type.Optional(Type.Integer()),
  hidden: Type.Optional(Type.Boolean()),
  singleton: Type.Optional(Type.Boolean()),
  system: Type.Optional(Type.Boolean()),
  read_only: Type.Optional(Type.Boolean()),
  /** The stored one, else a guess from the names of the fields. */
  display_template: Type.Optional(Type.String()),
  sort_field: Type.Optional(Type.String()),
  /** From the statistics of the database, for callers who may read every row. */
  estimated_rows: Type.Optional(Type.Integer()),
})

export const serviceSchemas = {
  readMe: { input: object({}), output: json },
  trackPage: { input: Type.Object({ last_page: nullable(Type.String({ maxLength: LONGEST_PAGE })) }), output: nothing },
  myRoles: { input: object({}), output: Type.Array(json) },
  myGlobals: {
    input: object({}),
    output: globals,
  },
  /** By collection and action; inaccessible collections are left out. */
  myPermissions: {
    input: object({}),
    output: Type.Record(
      Type.String(),
      Type.Record(
        Type.String(),
        object({ access: Type.Enum(['none', 'partial', 'full']), fields: Type.Optional(fields), presets }),
      ),
    ),
  },
  /** By action. */
  myItemPermissions: {
    input: Type.Object({ collection: Type.String(), key: optional(Type.String()) }),
    output: Type.Record(Type.String(), object({ access: Type.Boolean(), fields: Type.Optional(fields), presets })),
  },
  explain: { input: Type.Object({ request: passedOn(request) }), output: explanation },
  previewPermissions: {
    input: Type.Object({ request: passedOn(previewRequest) }),
    output: object({
      before: effect,
      after: effect,
      /** Rows that were compared one by one. */
      examined: Type.Integer(),
      /** Rows among them that the action would become allowed for, and those that it would be no longer. */
      gained: Type.Array(json),
      lost: Type.Array(json),
    }),
  },
  /** Everything that the app needs before its first screen. */
  appStart: {
    input: object({}),
    output: object({
      /** null: nobody is signed in. */
      me: nullable(json),
      globals,
      project: json,
      version: Type.Optional(Type.String()),
      schema_version: nullable(Type.String()),
      collections: Type.Array(appCollection),
    }),
  },
  serverInfo: {
    input: object({}),
    output: object(
      {
        project: json,
        version: Type.Optional(Type.String()),
        rateLimit: Type.Optional(anything),
        rateLimitGlobal: Type.Optional(anything),
        queryLimit: Type.Optional(json),
        websocket: Type.Optional(anything),
        realtime: Type.Optional(json),
        files: Type.Optional(json),
        uploads: Type.Optional(json),
      },
      { title: 'server_info' },
    ),
  },
  /** As in the IETF draft for health checks. */
  serverHealth: { input: object({}), output: Type.Object({ status: Type.Enum(['ok', 'warn', 'error']) }) },
  serverPing: { input: object({}), output: Type.String() },
  serverReady: { input: object({}), output: Type.String() },
  randomText: {
    input: Type.Object({ length: optional(Type.Integer({ minimum: 1, maximum: LONGEST_RANDOM_TEXT })) }),
    output: Type.String(),
  },
  clearCache: { input: object({}), output: nothing },
} as const satisfies Readonly<Record<ServiceProcedureName, ProcedureSchema>>
