import { queryString } from './address.ts'
import type { WriteOptions } from './options.ts'
import { dataOf, type Send } from './transport.ts'

export type KeyedOptions = WriteOptions & { readonly ifMatch?: string }

interface Writing {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

export type Write = (writing: Writing, query?: unknown, options?: KeyedOptions) => Promise<unknown>

/** Sends writes of items. Those that may be repeated carry a key, so that they happen once. */
export const createWrite =
  (send: Send, defaults: { readonly retries: number }): Write =>
  async ({ method, path, body }, query = {}, { idempotencyKey, dryRun, ifMatch, ...options } = {}) => {
    const isRepeated = (options.retries ?? defaults.retries) > 0
    const key = idempotencyKey ?? (isRepeated ? crypto.randomUUID() : undefined)
    const headers = {
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(dryRun === true ? { prefer: 'tx=rollback' } : {}),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    }
    const address = `${path}${queryString(query as object)}`
    return dataOf(await send({ method, path: address, body, headers, isRepeatable: key !== undefined }, options))
  }
