/** A value that belongs to a rule and not to a request: it travels with the condition that uses it. */
export interface Held {
  readonly held: unknown
}

/** Where a value is when a statement runs: its position among the request's values, or held. */
export type Slot = number | Held

export const isHeld = (slot: Slot): slot is Held => typeof slot === 'object'
