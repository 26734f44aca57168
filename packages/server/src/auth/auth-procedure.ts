import type { Actor } from '../access/actor.ts'
import type { AuthenticationConfig } from '../config/authentication.ts'
import type { Accounts } from '../engine/accounts.ts'
import type { Engine } from '../engine/engine.ts'
import type { Identity } from '../engine/identity.ts'
import type { LoginFailures } from '../engine/login-failures.ts'
import type { OneTimeValues } from '../engine/one-time.ts'
import type { PermissionStore } from '../engine/permission-store.ts'
import type { Client, Sessions } from '../engine/sessions.ts'
import type { Mailer } from '../mail/mail.ts'
import type { Observe } from '../observe.ts'
import type { Check } from './input.ts'
import type { Keyring } from './keyring.ts'
import type { Limits } from './limits.ts'
import type { Passwords } from './passwords.ts'
import type { SecretEncryption } from './secret-encryption.ts'
import type { Tokens } from './tokens.ts'

/** The services that procedures use. */
export interface AuthServices {
  readonly engine: Engine
  readonly identity: Identity
  readonly accounts: Accounts
  readonly loginFailures: LoginFailures
  readonly oneTime: OneTimeValues
  readonly sessions: Sessions
  readonly permissionStore: PermissionStore
  readonly keyring: Keyring
  readonly tokens: Tokens
  readonly secretEncryption: SecretEncryption
  readonly passwords: Passwords
  readonly limits: Limits
  readonly mailer: Mailer
  readonly config: AuthenticationConfig
  readonly observe: Observe
}

/** Request data besides the payload. */
export interface CallContext {
  readonly client: Client
  readonly cookies: { readonly refresh: string | null; readonly session: string | null }
}

export interface Call<Input> {
  readonly actor: Actor
  readonly input: Input
  readonly context: CallContext
}

/** An authentication operation, the same for every caller and protocol. */
export interface Procedure<Input, Output> {
  /** `anybody`: tokens are ignored, so that an invalid token does not keep its owner from getting a new one. */
  readonly callers: 'anybody' | 'users'
  /** Minimum duration in milliseconds, also if the payload is rejected. */
  readonly minimumDuration?: number
  readonly check: Check<Input>
  readonly run: (call: Call<Input>) => Promise<Output>
}
