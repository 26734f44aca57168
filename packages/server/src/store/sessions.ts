import type { Database } from '../sql/database.ts'
import type { Row, Transaction } from '../sql/driver.ts'
import {
  createServiceStatements,
  inTransaction,
  isTrue,
  type RunServiceStatement,
} from '../sql/service/run-service-statement.ts'
import { userOf, type UserRecord } from './identity.ts'
import type { Origin } from '../changes/change.ts'
import type { UserChanges } from '../changes/user-changes.ts'

/** The client that logs in. */
export interface Client extends Origin {
  readonly origin: string | null
}

export interface NewSession {
  readonly user: string
  readonly tokenHash: string
  readonly family: string
  /** Milliseconds. */
  readonly lifetime: number
  readonly client: Client
}

/** The values that a login was verified against; the login fails if any of them has changed since. */
export interface NewLogin {
  readonly passwordHash: string | null
  readonly encryptedSecret: string | null
  /** Time step of the second-factor code; null: no second factor. */
  readonly step: number | null
}

export interface Rotation {
  readonly tokenHash: string
  readonly nextHash: string
  readonly lifetime: number
  readonly client: Client
  /** Milliseconds during which the same client may use the replaced token again. */
  readonly grace: number
}

export type Rotated =
  | { readonly kind: 'rotated' | 'again'; readonly user: UserRecord; readonly family: string }
  /** The session does not exist, or no longer exists. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'inactive'; readonly status: string }
  /** The token was already used, possibly by an attacker; all sessions of the login have been ended. */
  | { readonly kind: 'replayed'; readonly user: string }

export interface Sessions {
  /** Returns false if the user has changed since the login was verified. */
  begin(session: NewSession, login: NewLogin): Promise<boolean>
  rotate(rotation: Rotation): Promise<Rotated>
  /** Returns the user of the ended session. */
  end(tokenHash: string, client: Client): Promise<string | null>
  /** Number of times this process has ended sessions; while it is unchanged, no open session has been ended here. */
  endings(): number
}

export function createSessions(database: Database, systemSchema: string, userChanges: UserChanges): Sessions {
  const { driver, identity, sessions } = database
  const ask = createServiceStatements(database, systemSchema)
  const rotate = createRotate(database, ask)
  let endings = 0

  return {
    begin: (session, { passwordHash, encryptedSecret, step }) =>
      inTransaction(driver, async (transaction) => {
        const values = [session.user, passwordHash, encryptedSecret, step === null ? null : String(step)]
        const [noted] = await ask(identity.signedIn, values, transaction)
        if (noted === undefined) return false
        await insertSession(session, sessions, ask, transaction)
        await ask(sessions.removeExpired, [], transaction)
        const { user, client: origin } = session
        await userChanges.report({ action: 'login', user }, { by: user, origin }, transaction)
        return true
      }),

    async rotate(rotation) {
      const rotated = await rotate(rotation)
      if (rotated.kind === 'replayed' || rotated.kind === 'inactive') endings += 1
      return rotated
    },

    async end(tokenHash, client) {
      const user = await inTransaction(driver, async (transaction) => {
        const [ended] = await ask(sessions.end, [tokenHash], transaction)
        const found = ended?.[0] ?? null
        if (found !== null)
          await userChanges.report({ action: 'logout', user: found }, { by: found, origin: client }, transaction)
        return found
      })
      endings += 1
      return user
    },

    endings: () => endings,
  }
}

const insertSession = (
  { tokenHash, user, family, lifetime, client }: NewSession,
  sessions: Database['sessions'],
  ask: RunServiceStatement,
  transaction: Transaction,
) => {
  const { ip, userAgent, origin } = client
  return ask(sessions.create, [tokenHash, user, family, String(lifetime), ip, userAgent, origin], transaction)
}

const createRotate =
  ({ driver, sessions }: Database, ask: RunServiceStatement): Sessions['rotate'] =>
  ({ tokenHash, nextHash, lifetime, client, grace }) =>
    inTransaction(driver, async (transaction): Promise<Rotated> => {
      await ask(sessions.lockUser, [tokenHash], transaction)
      await ask(sessions.lock, [tokenHash], transaction)
      const found = sessionOf((await ask(sessions.read, [tokenHash], transaction))[0])
      if (found === null) return { kind: 'unknown' }
      const { user, family } = found
      if (user.status !== 'active') {
        await ask(sessions.endFamily, [family], transaction)
        return { kind: 'inactive', status: user.status }
      }
      if (found.replacedFor !== null) {
        const isSameClient = found.ip === client.ip && found.userAgent === client.userAgent
        if (isSameClient && found.hasSuccessor && found.replacedFor < grace) return { kind: 'again', user, family }
        await ask(sessions.endFamily, [family], transaction)
        return { kind: 'replayed', user: user.id }
      }
      await ask(sessions.replace, [tokenHash, nextHash], transaction)
      const next = { user: user.id, tokenHash: nextHash, family, lifetime, client }
      await insertSession(next, sessions, ask, transaction)
      return { kind: 'rotated', user, family }
    })

function sessionOf(row: Row | undefined) {
  if (row === undefined) return null
  const [family, ip = null, userAgent = null, replacedFor, hasSuccessor, ...columns] = row
  const user = userOf(columns)
  if (typeof family !== 'string' || user === null) return null
  const milliseconds = replacedFor === null || replacedFor === undefined ? null : Number(replacedFor)
  return { family, ip, userAgent, replacedFor: milliseconds, hasSuccessor: isTrue(hasSuccessor), user }
}
