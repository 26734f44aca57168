import type { AuthenticationConfig } from '../config/authentication.ts'
import type { Accounts } from '../store/accounts.ts'
import type { AssetLinks } from '../store/asset-links.ts'
import type { Engine } from '../engine/engine.ts'
import type { Identity } from '../store/identity.ts'
import type { LoginFailures } from '../store/login-failures.ts'
import type { OneTimeValues } from '../store/one-time.ts'
import type { PermissionStore } from '../store/permission-store.ts'
import type { Sessions } from '../store/sessions.ts'
import type { Mailer } from '../mail/mail.ts'
import type { Observe } from '../observe.ts'
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
  readonly assetLinks: AssetLinks
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
