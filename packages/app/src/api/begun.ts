export type Body = Readonly<Record<string, unknown>>

/** A response whose body has arrived. */
export interface Arrival {
  readonly response: globalThis.Response
  readonly body: Body | null
}

/** Requests that `begin.js` sent while the app was loading, by address. */
const begun = (globalThis as { begun?: Map<string, Promise<Arrival>> }).begun ?? new Map<string, Promise<Arrival>>()

/** Later, the page is another one, and the answer old. */
const LIFETIME = 10_000

/** What was asked for before the app was there, once; null: it was not, or it did not arrive. */
export async function takeBegun(url: string): Promise<Arrival | null> {
  const arrival = begun.get(url)
  if (arrival === undefined || performance.now() > LIFETIME) return null
  begun.delete(url)
  return await arrival.catch(() => null)
}
