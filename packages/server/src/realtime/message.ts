import { invalidPayload, type ServiceError } from '@tain/contract'
import { DEEPEST_JSON, isExactNumber, isTooDeep, parseExactJson, type ExactNumber } from '../lib/exact-json.ts'
import { utf8Text } from '../lib/utf8.ts'

/** What a client calls a message, and its answer; undefined: nothing. */
export type Uid = string | number | ExactNumber | undefined

/** A message of a client. */
export interface Message {
  readonly type: string
  readonly uid: Uid
  /** All that it holds besides its type and uid. */
  readonly body: Readonly<Record<string, unknown>>
}

/** A message that cannot be understood; its uid, if that can. */
export interface Misunderstood {
  readonly error: ServiceError
  readonly uid: Uid
}

const LONGEST_UID = 256

export function readMessage(data: Buffer): Message | Misunderstood {
  const text = utf8Text(data)
  if (text === null) return misunderstood('A message has to be text in UTF-8')
  if (isTooDeep(text)) return misunderstood(`A message nests at most ${DEEPEST_JSON} levels deep`)
  let parsed: unknown
  try {
    parsed = parseExactJson(text)
  } catch {
    return misunderstood('A message has to be JSON')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed) || isExactNumber(parsed))
    return misunderstood('A message has to be an object')
  const { type, uid: given, ...body } = parsed as Record<string, unknown>
  const uid = given ?? undefined
  if (!isUid(uid)) return misunderstood(`"uid" has to be a number, or a text of up to ${LONGEST_UID} characters`)
  if (typeof type !== 'string') return misunderstood('A message needs a "type"', uid)
  return { type, uid, body }
}

const isUid = (uid: unknown): uid is Uid =>
  uid === undefined ||
  typeof uid === 'number' ||
  (typeof uid === 'string' && uid.length <= LONGEST_UID) ||
  (isExactNumber(uid) && uid.rawJSON.length <= LONGEST_UID)

const misunderstood = (reason: string, uid?: Uid): Misunderstood => ({ error: invalidPayload(reason), uid })

/** Refuses members that the message does not have. */
export function checkMembers(body: Message['body'], known: readonly string[]): void {
  for (const name of Object.keys(body))
    if (!known.includes(name))
      throw invalidPayload(
        `"${name.slice(0, 64)}" is not allowed${known.length === 0 ? '' : `; there are ${known.join(', ')}`}`,
      )
}

/** The uid as subscriptions tell it. */
export const uidText = (uid: Exclude<Uid, undefined>): string => (isExactNumber(uid) ? uid.rawJSON : String(uid))

/** The answer to a message: the uid comes along if there is one. */
export const answer = (type: string, uid: Uid, members: object = {}): string =>
  JSON.stringify({ type, ...members, ...(uid === undefined ? {} : { uid }) })

export const errorAnswer = (type: string, uid: Uid, { code, message }: ServiceError): string =>
  answer(type, uid, { status: 'error', error: { code, message } })
