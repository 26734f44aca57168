import type { Row } from '../../model/key.ts'

let waiting: { readonly collection: string; readonly values: Row } | null = null

/** Hands values to the form of a new row that is opened next. */
export function copyOver(collection: string, values: Row): void {
  waiting = { collection, values }
}

/** The values that were handed over; they are taken once. */
export function takeCopy(collection: string): Row | null {
  const taken = waiting?.collection === collection ? waiting.values : null
  waiting = null
  return taken
}
