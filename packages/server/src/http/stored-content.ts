import type { Readable } from 'node:stream'
import { ServiceError } from '@tain/contract'

export const lostObject = () =>
  new ServiceError('SERVICE_UNAVAILABLE', 'The content of this file cannot be read at the moment.', {
    service: 'assets',
  })

/** The bytes of an object that a row names. */
export async function readFrom(open: () => Promise<Readable | null>): Promise<Readable> {
  const stream = await open().catch((error: unknown) => {
    throw Object.assign(lostObject(), { cause: error })
  })
  if (stream === null) throw lostObject()
  return stream
}
