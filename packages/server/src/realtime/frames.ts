import type { ServiceError } from '@tain/contract'
import type { Told } from './hub.ts'

/** The end of a subscription, as a message. */
export const endMessage = ({ code, message }: ServiceError, uid: string | null): string =>
  JSON.stringify({ type: 'subscribe', status: 'error', error: { code, message }, ...(uid === null ? {} : { uid }) })

/** What a subscription is told, as a message. `uid` is its name; null: it has none. */
export function messageOf(told: Told, uid: string | null): string {
  if (told.kind === 'error') return endMessage(told.error, uid)
  const parts = [
    `"type":"subscription","event":"${told.kind}"`,
    ...('data' in told && told.data !== null ? [`"data":${told.data}`] : []),
    ...('meta' in told && told.meta !== null ? [`"meta":${told.meta}`] : []),
    ...(uid === null ? [] : [`"uid":${JSON.stringify(uid)}`]),
    `"position":"${told.position}"`,
    ...(told.kind === 'init' && told.isResumed !== null ? [`"resumed":${String(told.isResumed)}`] : []),
  ]
  return `{${parts.join(',')}}`
}

const NO_UID = Symbol('no uid')

/** Frames by what is told, then by uid: connections that are told the same under the same name share the bytes. */
const made = new WeakMap<Told, Map<string | symbol, Buffer>>()

export function frameOf(told: Told, uid: string | null): Buffer {
  let frames = made.get(told)
  if (frames === undefined) {
    frames = new Map()
    made.set(told, frames)
  }
  const name = uid ?? NO_UID
  const known = frames.get(name)
  if (known !== undefined) return known
  const frame = Buffer.from(messageOf(told, uid))
  // Names that differ everywhere would only be collected.
  if (frames.size < SHARED_NAMES) frames.set(name, frame)
  return frame
}

const SHARED_NAMES = 16
