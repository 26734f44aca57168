import { Type } from 'typebox'
import type { ServiceProcedureName } from '../procedures/service.ts'
import { anything, json, nothing, nullable, object, optional, passedOn } from './parts.ts'
import type { ProcedureSchema } from './procedure-schema.ts'

const LONGEST_PAGE = 255
const LONGEST_RANDOM_TEXT = 500

const action = Type.Enum(['create', 'read', 'update', 'delete', 'share'])
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

export const serviceSchemas = {
  readMe: { input: object({}), output: json },
  trackPage: { input: Type.Object({ last_page: nullable(Type.String({ maxLength: LONGEST_PAGE })) }), output: nothing },
  myRoles: { input: object({}), output: Type.Array(json) },
  myGlobals: {
    input: object({}),
    output: object(
      {
        app_access: Type.Boolean(),
        admin_access: Type.Optional(Type.Boolean()),
        enforce_tfa: Type.Optional(Type.Boolean()),
      },
      { title: 'policies_me_globals' },
    ),
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
      },
      { title: 'server_info' },
    ),
  },
  /** As in the IETF draft for health checks. */
  serverHealth: { input: object({}), output: Type.Object({ status: Type.Enum(['ok', 'error']) }) },
  serverPing: { input: object({}), output: Type.String() },
  serverReady: { input: object({}), output: Type.String() },
  randomText: {
    input: Type.Object({ length: optional(Type.Integer({ minimum: 1, maximum: LONGEST_RANDOM_TEXT })) }),
    output: Type.String(),
  },
  clearCache: { input: object({}), output: nothing },
} as const satisfies Readonly<Record<ServiceProcedureName, ProcedureSchema>>
