import type { IncomingMessage } from 'node:http'
import type { MultipartFile } from '@fastify/multipart'
import { invalidPayload, ServiceError } from '@tain/contract'
import type { FastifyRequest } from 'fastify'

/**
 * Milliseconds to wait after the last byte. The parser never finishes a form whose part headers do not end; otherwise
 * it processes the last bytes at once.
 */
const GRACE = 1000

/** The file of a multipart form. */
export async function formFile(request: FastifyRequest): Promise<MultipartFile> {
  const unread = untilUnread(request.raw)
  try {
    const part = await Promise.race([request.file(), unread.promise])
    if (part === undefined) throw invalidPayload('The form has no file')
    return part
  } catch (error) {
    refuseForm(error)
  } finally {
    unread.stop()
  }
}

function untilUnread(raw: IncomingMessage): { readonly promise: Promise<never>; readonly stop: () => void } {
  const { promise, reject } = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    timer = setTimeout(() => reject(new Error('the form has come to its end, and nothing was found in it')), GRACE)
  }
  if (raw.readableEnded) wait()
  else raw.once('end', wait)
  return {
    promise,
    stop: () => {
      clearTimeout(timer)
      raw.off('end', wait)
    },
  }
}

/** Maps every parser error to an invalid form: most of these errors have no code. */
export function refuseForm(error: unknown): never {
  if (error instanceof ServiceError) throw error
  if (error instanceof Error && 'code' in error && error.code === 'FST_REQ_FILE_TOO_LARGE')
    throw new ServiceError('CONTENT_TOO_LARGE')
  throw new ServiceError(
    'INVALID_PAYLOAD',
    'Invalid payload. The form is broken or ends in the middle.',
    {},
    { cause: error },
  )
}
