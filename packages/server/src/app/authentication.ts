import { createActorOfUser, type ActorOfUser } from '../auth/actor-of-user.ts'
import type { AuthServices } from '../auth/auth-services.ts'
import { createAuthenticate, createBareAuthenticate, type Authenticate } from '../auth/authenticate.ts'
import { createKeyring } from '../auth/keyring.ts'
import { createLimits } from '../auth/limits.ts'
import { createProofOf, fixedProof, type ProofOf } from '../auth/proof.ts'
import { createPasswords } from '../auth/passwords.ts'
import { createWithPaths } from '../auth/paths.ts'
import { createAuthProcedures } from '../auth/procedures/index.ts'
import { createSecretEncryption } from '../auth/secret-encryption.ts'
import { createTokens } from '../auth/tokens.ts'
import { createUserChanges, type UserChanges } from '../changes/user-changes.ts'
import { createAccounts, type Accounts } from '../store/accounts.ts'
import { createAssetLinks } from '../store/asset-links.ts'
import { createIdentity } from '../store/identity.ts'
import { createLoginFailures } from '../store/login-failures.ts'
import { createOneTimeValues } from '../store/one-time.ts'
import { createSessions } from '../store/sessions.ts'
import { createMailer } from '../mail/queue.ts'
import { createSmtp } from '../mail/smtp.ts'
import type { ServedProcedures } from '../procedure.ts'
import type { AppContext } from './context.ts'
import type { EngineParts } from './engine.ts'
import { limitersOf } from './redis.ts'

/** The authentication of callers. Without the service's tables there is only the administrator's token. */
export interface AuthenticationParts {
  readonly services: BasicServices
  readonly authenticate: Authenticate
  /** Empty if the service is read-only. */
  readonly procedures: ServedProcedures
  readonly actorOfUser: ActorOfUser
  /** What the token of an open connection rests on. */
  readonly proofOf: ProofOf
  /** null if the service is read-only. */
  readonly accounts: Accounts | null
}

/** The services of authentication that exist in read-only mode too. */
type BasicServices = Pick<
  AuthServices,
  'engine' | 'identity' | 'assetLinks' | 'permissionStore' | 'keyring' | 'limits' | 'mailer' | 'config' | 'observe'
>

export function createAuthentication(context: AppContext, parts: EngineParts): AuthenticationParts {
  const { config } = context
  const services = createBasicServices(context, parts)
  if (config.isReadOnly) {
    const authenticate = createBareAuthenticate(config.adminToken)
    return {
      services,
      authenticate,
      procedures: {},
      actorOfUser: async () => null,
      proofOf: fixedProof,
      accounts: null,
    }
  }
  const { identity, permissionStore, keyring } = services
  const withPaths = createWithPaths(parts.engine, parts.limits)
  const tokens = createTokens(keyring)
  const userChanges = createUserChanges(parts.changeSink, () => parts.engine.schema())
  const sessions = createSessions(context.database, context.systemSchema, userChanges)
  const procedureServices = createProcedureServices(context, services, userChanges)
  return {
    services,
    authenticate: createAuthenticate({ ...services, withPaths, tokens, sessions }),
    procedures: createAuthProcedures({ ...services, ...procedureServices, tokens, sessions }),
    accounts: procedureServices.accounts,
    actorOfUser: createActorOfUser(identity, permissionStore, withPaths),
    proofOf: createProofOf(tokens),
  }
}

function createBasicServices(context: AppContext, { engine, permissionStore }: EngineParts): BasicServices {
  const { config, database, systemSchema, observe } = context
  return {
    engine,
    identity: createIdentity(database, systemSchema, config.sessionGrace),
    assetLinks: createAssetLinks(database, systemSchema),
    permissionStore,
    keyring: createKeyring(config.secret, config.previousSecret),
    limits: createLimits(config, limitersOf(context)),
    mailer: createMailer(config.mailTransport === 'smtp' ? createSmtp(config) : null, observe),
    config,
    observe,
  }
}

const createProcedureServices = (
  { database, systemSchema }: AppContext,
  { keyring, permissionStore }: BasicServices,
  userChanges: UserChanges,
) => ({
  accounts: createAccounts(database, systemSchema, permissionStore, userChanges),
  loginFailures: createLoginFailures(database, systemSchema),
  oneTime: createOneTimeValues(database, systemSchema),
  secretEncryption: createSecretEncryption(keyring),
  passwords: createPasswords(),
})
