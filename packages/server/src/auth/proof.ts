import { hashToken, sessionHash } from './authenticate.ts'
import type { Tokens } from './tokens.ts'

/** What a token rests on: it is valid as long as that is there. */
export interface Proof {
  /** A login, a session, a static token, or nothing that can end. */
  readonly kind: 'login' | 'session' | 'token' | 'fixed'
  /** Its key in the tables of the service. */
  readonly key: string
  /** Milliseconds since 1970; null: it does not run out by itself. */
  readonly expires: number | null
}

export type ProofOf = (token: string) => Promise<Proof>

/** The proof of a token that was accepted. */
export const createProofOf =
  (tokens: Tokens): ProofOf =>
  async (token) => {
    if (!tokens.isOwn(token)) return { kind: 'token', key: hashToken(token), expires: null }
    const { session, family, expires } = await tokens.verifyAccess(token)
    if (session !== null) return { kind: 'session', key: sessionHash(session), expires }
    return family === null ? { kind: 'fixed', key: '', expires } : { kind: 'login', key: family, expires }
  }

/** Where the service keeps no users, its token lasts. */
export const fixedProof: ProofOf = async () => ({ kind: 'fixed', key: '', expires: null })
