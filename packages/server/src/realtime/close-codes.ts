/** Why the service ends a connection. Broken frames, text that is no UTF-8 and large messages are noticed by `ws`. */
export const closeCodes = {
  /** The service restarts; the reason holds the milliseconds to wait before coming back. */
  restart: 1012,
  /** Too much waits for a client that reads slowly. */
  slow: 1013,
  /** Not, or no longer, signed in. */
  unauthorized: 4401,
  /** No answer to `ping`. */
  silent: 4408,
} as const

export type CloseReason = keyof typeof closeCodes

/** Clients that come back after a restart wait up to this long, so that they do not all come at once. */
const LONGEST_RETURN = 5000

/** Milliseconds to wait before coming back. */
export const returnHint = (): string => String(Math.floor(Math.random() * (LONGEST_RETURN + 1)))
