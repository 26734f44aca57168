import { createHmac } from 'node:crypto'
import type { Member, Outcome } from './hub-model.ts'
import type { ToldRow } from './hub.ts'

/** A key as a subscription is told it; `key` is null where nobody asks for it. */
export interface ToldKey extends Pick<ToldRow, 'key'> {
  /** In the form of responses. */
  readonly json: string
}

const HIDDEN: ToldKey = { key: null, json: 'null' }

/** The key as all subscriptions of a group may be told it. */
export const sharedKey = ({ hint, isKeyShown, keyJson }: Outcome): ToldKey =>
  isKeyShown === true ? { key: hint.key, json: keyJson } : HIDDEN

/** The key as one subscription is told it. */
export function ownKey({ told, secret }: Pick<Member, 'told' | 'secret'>, outcome: Outcome): ToldKey {
  const { hint, isKeyShown, keyJson } = outcome
  if (isKeyShown ?? told.get(hint.key) === true) return { key: hint.key, json: keyJson }
  const key = opaqueKey(hint.key, secret)
  return { key, json: JSON.stringify(key) }
}

const BYTES = 18

/** Stands for a key: the same for the same key, and without the secret nobody can tell which key it is. */
const opaqueKey = (key: string, secret: Buffer): string =>
  createHmac('sha256', secret).update(key).digest().subarray(0, BYTES).toString('base64url')
