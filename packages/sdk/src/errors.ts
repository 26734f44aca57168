import type { ErrorCode } from './contract.ts'

/** Codes of the service, and those of requests that got no answer from it. */
export type TainErrorCode = ErrorCode | 'NETWORK' | 'TIMEOUT' | 'UNEXPECTED_RESPONSE'

/** One error of a response. */
export interface ErrorDetail {
  readonly message: string
  readonly extensions: { readonly code: TainErrorCode; readonly [name: string]: unknown }
}

/** A refusal of the service, or a request without an answer. `code` and `extensions` are those of the first error. */
export class TainError extends Error {
  readonly code: TainErrorCode
  /** The HTTP status; 0 without a response. */
  readonly status: number
  readonly extensions: ErrorDetail['extensions']
  readonly errors: readonly ErrorDetail[]
  /** What GraphQL could answer in spite of the errors. */
  readonly data?: unknown

  constructor(status: number, errors: readonly ErrorDetail[], options?: ErrorOptions & { data?: unknown }) {
    const first = errors[0] ?? { message: `Status ${status}.`, extensions: { code: 'UNEXPECTED_RESPONSE' } }
    super(errors.length > 1 ? errors.map(({ message }) => message).join(' ') : first.message, options)
    this.name = 'TainError'
    this.code = first.extensions.code
    this.status = status
    this.extensions = first.extensions
    this.errors = errors
    if (options?.data !== undefined) this.data = options.data
  }
}

/** Whether it is an error of the service, with one of these codes if any are given. */
export const isTainError = (error: unknown, ...codes: readonly TainErrorCode[]): error is TainError =>
  error instanceof TainError && (codes.length === 0 || codes.includes(error.code))

export const unanswered = (code: 'NETWORK' | 'TIMEOUT', message: string, cause: unknown): TainError =>
  new TainError(0, [{ message, extensions: { code } }], { cause })

const isDetail = (value: unknown): value is ErrorDetail =>
  typeof (value as Partial<ErrorDetail> | null)?.message === 'string' &&
  typeof (value as Partial<ErrorDetail>).extensions?.code === 'string'

/** The errors in a body; none if it is not one of the service. */
export function errorsIn(body: unknown): readonly ErrorDetail[] {
  const errors = (body as { readonly errors?: unknown } | null | undefined)?.errors
  return Array.isArray(errors) ? errors.filter(isDetail) : []
}
