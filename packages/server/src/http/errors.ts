import { ServiceError, type WireError } from '@tain/contract'
import type { FastifyReply } from 'fastify'
import { faultToError, isDatabaseError } from '../engine/faults.ts'

const frameworkCodes: Readonly<Record<string, () => ServiceError>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The body has to be JSON, with Content-Type application/json.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ServiceError('CONTENT_TOO_LARGE'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new ServiceError('INVALID_PAYLOAD', 'Invalid payload. The body is shorter or longer than announced.'),
  FST_ERR_BAD_URL: () => new ServiceError('INVALID_QUERY', 'Invalid query. The address has a broken percent-encoding.'),
  FST_ERR_MAX_PARAM_LENGTH: () => new ServiceError('FORBIDDEN'),
}

/** Anything thrown → a service error. What nobody foresaw is masked; its own words are for the log. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (isDatabaseError(error)) return faultToError(error, false)
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  return frameworkCodes[code]?.() ?? new ServiceError('INTERNAL_SERVER_ERROR', undefined, {}, { cause: error })
}

export const sendError = (reply: FastifyReply, error: ServiceError): void => sendErrors(reply, [error])

/** Several failures share one status; were they to differ, it would be nobody's fault but ours. */
export function sendErrors(reply: FastifyReply, errors: readonly ServiceError[]): void {
  const statuses = new Set(errors.map(({ status }) => status))
  const [status = 500] = statuses
  // What may have happened already must not be invited to happen again.
  const isRepeatable = errors.every(({ details }) => details['outcome'] !== 'unknown')
  if (status === 503 && isRepeatable) void reply.header('retry-after', '1')
  const reset = errors[0]?.details['reset']
  if (status === 429 && typeof reset === 'string')
    void reply.header('retry-after', String(Math.max(1, Math.ceil((Date.parse(reset) - Date.now()) / 1000))))
  void reply
    .code(statuses.size === 1 ? status : 500)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify({ errors: errors.map((error): WireError => error.toWire()) }))
}
