import { ServiceError, type ErrorCode } from '@tain/contract'

/** Answers of the protocol of resumable uploads that have a status of their own. */
const refusals = {
  offset: { status: 409, code: 'PRECONDITION_FAILED', message: 'The upload goes on at another offset; ask for it.' },
  busy: { status: 423, code: 'SERVICE_UNAVAILABLE', message: 'Another request writes this upload; try again later.' },
  checksum: { status: 460, code: 'INVALID_PAYLOAD', message: 'The piece has another checksum; send it again.' },
  version: { status: 412, code: 'PRECONDITION_FAILED', message: 'The header Tus-Resumable has to be 1.0.0.' },
  // The same words for unknown, expired and foreign uploads.
  missing: { status: 404, code: 'ROUTE_NOT_FOUND', message: 'There is no such upload; begin a new one.' },
  longer: { status: 413, code: 'CONTENT_TOO_LARGE', message: 'The upload is longer than promised.' },
} as const satisfies Readonly<Record<string, { status: number; code: ErrorCode; message: string }>>

export type Refusal = keyof typeof refusals

class UploadRefused extends ServiceError {
  readonly #status: number

  constructor(refusal: Refusal) {
    const { status, code, message } = refusals[refusal]
    super(code, message)
    this.#status = status
  }

  override get status(): number {
    return this.#status
  }
}

export const refused = (refusal: Refusal): ServiceError => new UploadRefused(refusal)
