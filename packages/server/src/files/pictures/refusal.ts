/** Why a variant cannot be made, in words for callers. */
export type RefusalKind =
  /** A parameter is wrong, alone or for this picture. */
  | 'invalid'
  /** A side is longer than allowed. */
  | 'too-large'
  /** The content cannot be decoded. */
  | 'unreadable'

export class Refusal extends Error {
  readonly kind: RefusalKind

  constructor(kind: RefusalKind, message: string) {
    super(message)
    this.name = 'Refusal'
    this.kind = kind
  }
}

export const invalid = (reason: string): Refusal => new Refusal('invalid', reason)
