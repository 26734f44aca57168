import { queryString } from './address.ts'
import type { WriteOptions } from './options.ts'
import { dataOf, type Send } from './transport.ts'

export type KeyedOptions = WriteOptions & { readonly ifMatch?: string }

interface Writing {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** The row of the result is the only one of a list. */
  readonly isOfList?: true
}

export const resultOf = (data: unknown, isOfList: boolean | undefined): unknown =>
  isOfList === true ? (data as readonly unknown[] | undefined)?.[0] : data

export type Write = (writing: Writing, query?: unknown, options?: KeyedOptions) => Promise<unknown>

/** Sends writes of items. Those that may be repeated carry a key, so that they happen once. */
export const createWrite =
  (send: Send, defaults: { readonly retries: number }): Write =>
  async ({ method, path, body, isOfList }, query = {}, { idempotencyKey, dryRun, ifMatch, ...options } = {}) => {
    const isRepeated = (options.retries ?? defaults.retries) > 0
    const key = idempotencyKey ?? (isRepeated ? crypto.randomUUID() : undefined)
    const headers = {
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(dryRun === true ? { prefer: 'tx=rollback' } : {}),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    }
    const address = `${path}${queryString(query as object)}`
    // Conditions are for rows in the address; a key that needs a body is refused there instead of written without them.
    if (isOfList === true && ifMatch !== undefined)
      throw new TypeError('With ifMatch, a composite key is a list of its parts')
    const request = { method, path: address, body, headers, isRepeatable: key !== undefined }
    return resultOf(dataOf(await send(request, options)), isOfList)
  }
