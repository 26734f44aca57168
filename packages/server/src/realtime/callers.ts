import type { Actor } from '../access/actor.ts'
import { lackOfSecondFactor, type Authenticate, type Credentials } from '../auth/authenticate.ts'
import type { Proof, ProofOf } from '../auth/proof.ts'
import type { Engine } from '../engine/engine.ts'

/** Who speaks on a connection: somebody who has signed in, or the public. */
export interface Caller {
  readonly credentials: Credentials
  /** As it was found last. Reads and writes renew it by themselves. */
  readonly actor: Actor
  /** null: the public, whose credentials do not end. */
  readonly proof: Proof | null
}

export interface Callers {
  /** The caller of these credentials. Refuses as any other request would. */
  readonly find: (credentials: Credentials) => Promise<Caller>
  /** The same caller with the rights of now; throws if the credentials have ended. */
  readonly renew: (caller: Caller) => Actor | Promise<Actor>
  /** Asks the database whether the credentials still hold; throws if they have ended. */
  readonly confirm: (caller: Caller) => Promise<void>
}

export const hasRunOut = ({ proof }: Caller, now = Date.now()): boolean =>
  proof !== null && proof.expires !== null && proof.expires <= now

export function createCallers(authenticate: Authenticate, proofOf: ProofOf, engine: Pick<Engine, 'renew'>): Callers {
  const actorOf = async (credentials: Credentials): Promise<Actor> => allowed(await authenticate(credentials))
  const renew: Callers['renew'] = ({ credentials }) => {
    const found = authenticate(credentials)
    return found instanceof Promise ? found.then(allowed) : allowed(found)
  }
  return {
    async find(credentials) {
      const actor = await actorOf(credentials)
      const { token } = credentials
      return { credentials, actor, proof: token === null ? null : await proofOf(token) }
    },
    renew,
    async confirm(caller) {
      // Another process may have made the newest version of the permissions, under which a known token is no longer one.
      await engine.renew(caller.actor)
      await renew(caller)
    },
  }
}

function allowed(actor: Actor): Actor {
  if (actor.lacksSecondFactor) throw lackOfSecondFactor()
  return actor
}
