/** One error of a response, as the contract sends it. */
export interface ErrorEntry {
  readonly message: string
  readonly extensions: { readonly code: string; readonly [name: string]: unknown }
}

/** What kept a request from being answered. `status` is 0 when no response arrived. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly entries: readonly ErrorEntry[]
  /** Seconds after which the request may be sent again, when the service said so. */
  readonly retryAfter: number | null

  constructor(status: number, entries: readonly ErrorEntry[], retryAfter: number | null = null) {
    super(entries[0]?.message ?? 'The service did not answer.')
    this.status = status
    this.entries = entries
    this.retryAfter = retryAfter
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
}

/** The errors of single fields, by the field's name. */
export function fieldErrors(error: unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  if (!(error instanceof ApiError)) return found
  for (const { message, extensions } of error.entries) {
    const field = extensions['field']
    if (typeof field === 'string' && !found.has(field)) found.set(field, message)
  }
  return found
}

/** What to show for anything that was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError && error.isOffline)
    return 'The service cannot be reached. Check the connection, then try again.'
  return error instanceof Error ? error.message : String(error)
}
