import { ServiceError, type WireError } from '@tain/contract'
import type { FastifyReply } from 'fastify'
import { faultToError, isDatabaseError } from '../engine/faults.ts'

const notJson = () =>
  new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The body has to be JSON, with Content-Type application/json.')

const frameworkCodes: Readonly<Record<string, () => ServiceError>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: notJson,
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: notJson,
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ServiceError('CONTENT_TOO_LARGE'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new ServiceError('INVALID_PAYLOAD', 'Invalid payload. The body is shorter or longer than announced.'),
  FST_ERR_BAD_URL: () => new ServiceError('INVALID_QUERY', 'Invalid query. The address has a broken percent-encoding.'),
  FST_ERR_MAX_PARAM_LENGTH: () => new ServiceError('FORBIDDEN'),
}

/**
 * Converts anything thrown to a service error. Unexpected errors are masked; their own message only goes to the log.
 */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (isDatabaseError(error)) return faultToError(error, false)
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  return frameworkCodes[code]?.() ?? new ServiceError('INTERNAL_SERVER_ERROR', undefined, {}, { cause: error })
}

export const errorBody = (errors: readonly ServiceError[]): string =>
  JSON.stringify({ errors: errors.map((error): WireError => error.toWire()) })

export const sendError = (reply: FastifyReply, error: ServiceError): void => sendErrors(reply, [error])

/** All errors share one status; if they differ, the fault is in the service, and the status is 500. */
export function sendErrors(reply: FastifyReply, errors: readonly ServiceError[]): void {
  const statuses = new Set(errors.map(({ status }) => status))
  const [status = 500] = statuses
  // No `Retry-After` if the outcome is unknown: the client must not repeat a write that may have happened.
  const isRepeatable = errors.every(({ details }) => details['outcome'] !== 'unknown')
  if (status === 503 && isRepeatable) void reply.header('retry-after', String(reply.server.retryAfter()))
  const reset = errors[0]?.details['reset']
  if (status === 429 && typeof reset === 'string')
    void reply.header('retry-after', String(Math.max(1, Math.ceil((Date.parse(reset) - Date.now()) / 1000))))
  void reply
    .code(statuses.size === 1 ? status : 500)
    .header('content-type', 'application/json; charset=utf-8')
    .send(errorBody(errors))
}
