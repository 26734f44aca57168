/** One error of a response, as the contract sends it. */
export interface ErrorEntry {
  readonly message: string
  readonly extensions: { readonly code: string; readonly [name: string]: unknown }
}

interface ErrorHeaders {
  readonly retryAfter?: number | null
  readonly requestId?: string | null
}

/** What kept a request from being answered. `status` is 0 when no response arrived. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly entries: readonly ErrorEntry[]
  /** Seconds after which the request may be sent again, when the service said so. */
  readonly retryAfter: number | null
  /** The name of the request in the log of the service. */
  readonly requestId: string | null

  constructor(status: number, entries: readonly ErrorEntry[], { retryAfter, requestId }: ErrorHeaders = {}) {
    super(entries[0] === undefined ? 'The service did not answer.' : entryText(entries[0]))
    this.status = status
    this.entries = entries
    this.retryAfter = retryAfter ?? null
    this.requestId = requestId ?? null
  }

  get code(): string {
    return this.entries[0]?.extensions.code ?? 'UNKNOWN'
  }

  get extensions(): Readonly<Record<string, unknown>> {
    return this.entries[0]?.extensions ?? {}
  }

  get isOffline(): boolean {
    return this.status === 0
  }

  /** Whether the service is away or busy. A 503 with a reason is about the request itself, such as a slow query. */
  get isMomentary(): boolean {
    return this.isOffline || (this.status === 503 && this.extensions['reason'] === undefined && !this.isOutcomeUnknown)
  }

  /** Whether a write may have happened although it was not confirmed. */
  get isOutcomeUnknown(): boolean {
    return this.extensions['outcome'] === 'unknown'
  }
}

/** The person who waited ended a request. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError'
  override readonly message = 'You stopped it.'
}

/** The words of one error. The reason alone says more than the name of the error before it. */
export function entryText({ message, extensions: { reason } }: ErrorEntry): string {
  if (typeof reason !== 'string' || reason === '') return message
  return /[.!?]$/u.test(reason) ? reason : `${reason}.`
}

/** The errors of single fields, by the field's name. */
export function fieldErrors(error: unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  if (!(error instanceof ApiError)) return found
  for (const entry of error.entries) {
    const { field } = entry.extensions
    if (typeof field === 'string' && !found.has(field)) found.set(field, entryText(entry))
  }
  return found
}

/** What to show for anything that was thrown. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  const { status, message, retryAfter, requestId } = error
  if (error.isOffline) return 'The service cannot be reached. Check the connection, then try again.'
  if (error.isMomentary) return 'The service is busy, or its database is away for a moment. Try again soon.'
  if (error.code === 'TOKEN_EXPIRED') return 'Your session has ended. Sign in, then try again.'
  if (status === 429 && retryAfter !== null) return `Too many requests. Try again in ${seconds(retryAfter)}.`
  if (status === 500 && requestId !== null) return `${message} An administrator finds it in the log as ${requestId}.`
  return message
}

export const seconds = (count: number): string => (count === 1 ? '1 second' : `${count} seconds`)
