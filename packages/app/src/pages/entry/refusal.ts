import { ApiError, messageOf } from '../../api/api-error.ts'

/** What to show when a form before the app is refused; some refusals mean something else here than elsewhere. */
export function refusalText(error: unknown, forbidden?: string): string {
  if (error instanceof ApiError) {
    if (error.status === 429)
      return error.retryAfter === null
        ? 'Too many attempts. Try again in a moment.'
        : `Too many attempts. Try again in ${error.retryAfter} s.`
    if (error.status === 403 && forbidden !== undefined) return forbidden
  }
  return messageOf(error)
}
