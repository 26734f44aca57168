import { Type } from 'typebox'
import type { AuthProcedureName } from '../procedures/authentication.ts'
import { email, nothing, nullable, object, optional, password, text, uuid } from './parts.ts'
import type { ProcedureSchema } from './procedure-schema.ts'

const MOST_ADDRESSES = 100

const mode = optional(
  Type.Enum(['json', 'cookie', 'session'], {
    title: 'auth_mode',
    description: 'Where tokens are kept: by the caller, or in cookies.',
  }),
)
const session = object({ mode, refresh_token: optional(text) })
const newPassword = object({ token: text, password })
const names = { first_name: optional(text), last_name: optional(text) }

/** Tokens that are kept in cookies are left out. */
const tokens = object(
  {
    access_token: Type.Optional(Type.String()),
    refresh_token: Type.Optional(Type.String()),
    expires: Type.Integer({ format: 'int64', description: 'Lifetime of the access token in milliseconds.' }),
  },
  { title: 'auth_tokens' },
)

/** Members are checked in the order in which they stand here. */
export const authSchemas = {
  listProviders: {
    input: object({}),
    output: object({ data: Type.Array(Type.Unknown()), disableDefault: Type.Boolean() }),
  },
  login: { input: object({ email: text, password, otp: optional(text), mode }), output: tokens },
  refresh: { input: session, output: tokens },
  logout: { input: session, output: nothing },
  requestPassword: { input: object({ email: text, reset_url: optional(text) }), output: nothing },
  resetPassword: { input: newPassword, output: nothing },
  invite: {
    input: object({
      email: Type.Union([email, Type.Array(email, { maxItems: MOST_ADDRESSES })]),
      role: uuid,
      invite_url: optional(text),
    }),
    output: nothing,
  },
  acceptInvite: { input: newPassword, output: nothing },
  register: { input: object({ email, password, ...names, verification_url: optional(text) }), output: nothing },
  /** Returns the user; null for an invalid link. */
  verifyEmail: { input: object({ token: text }), output: nullable(Type.String()) },
  generateTfa: {
    input: object({ password: optional(password) }),
    output: object(
      { secret: Type.String(), otpauth_url: Type.String() },
      {
        title: 'users_me_tfa_generate_data',
      },
    ),
  },
  enableTfa: { input: object({ secret: text, otp: text }), output: nothing },
  disableTfa: { input: object({ otp: text }), output: nothing },
  disableTfaOf: { input: object({ id: uuid }), output: nothing },
  revokeLinks: { input: object({}), output: nothing },
  revokeLinksOf: { input: object({ id: uuid }), output: nothing },
  setup: { input: object({ token: text, admin: object({ email, password, ...names }) }), output: nothing },
} as const satisfies Readonly<Record<AuthProcedureName, ProcedureSchema>>
