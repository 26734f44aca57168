import type { Query } from './ast.ts'
import { difference, isRecord } from './interpret/expected.ts'
import { type Json, tableOf } from '../database/model.ts'
import type { Reply } from '../../lib/server.ts'
import { grants } from '../rights/rights.ts'
import type { View } from '../rights/view.ts'

/** A cursor contains the key. Callers who cannot read the key in every row get none. */
export const canWalk = (view: View, { collection, limit }: Query): boolean => {
  const { key } = tableOf(view.model, collection)
  const isSeen = (name: string): boolean =>
    view.effective.isAdmin || view.grant(collection, 'read').every((permission) => grants(permission, name))
  return limit !== undefined && key.length > 0 && key.every(isSeen)
}

/** Sends the query for one page, with what it adds to the query. */
export type SendPage = (extra: Readonly<Record<string, Json>>) => Promise<Reply>

export interface Walk {
  /** Null if the pages together give the whole list in its order. */
  readonly reason: string | null
  readonly last: Reply
}

/** Reads page by page to the end, and back from there to the first page. */
export async function walkPages({ limit = 0 }: Query, expected: readonly unknown[], send: SendPage): Promise<Walk> {
  const seen: unknown[] = []
  let cursor: string | null = null
  for (let page = 0; ; page++) {
    const last: Reply = await send(cursor === null ? { meta: 'cursor' } : { meta: 'cursor', cursor })
    const fail = (reason: string): Walk => ({ reason: `page ${page}: ${reason}`, last })
    const { status, body } = last
    if (status !== 200 || !isRecord(body)) return fail(`status ${status}`)
    const rows = Array.isArray(body['data']) ? body['data'] : []
    if (rows.length > limit) return fail(`${rows.length} rows`)
    seen.push(...rows)
    const next: unknown = isRecord(body['meta']) ? body['meta']['next_cursor'] : undefined
    if (next === null) {
      const reason = difference(expected, seen)
      return reason === null ? walkBack(last, expected, rows.length, send) : { reason, last }
    }
    if (typeof next !== 'string') return fail(`next_cursor is ${JSON.stringify(next)}`)
    if (page > expected.length + 2) return fail('the walk does not end')
    cursor = next
  }
}

/** The pages before the last one must give the list without the rows of the last page. */
async function walkBack(end: Reply, expected: readonly unknown[], onLast: number, send: SendPage): Promise<Walk> {
  const seen: unknown[][] = []
  let last = end
  for (let pages = 0; ; pages++) {
    const fail = (reason: string): Walk => ({ reason: `${pages} pages back: ${reason}`, last })
    const { status, body } = last
    if (status !== 200 || !isRecord(body)) return fail(`status ${status}`)
    if (pages > 0) seen.push(Array.isArray(body['data']) ? body['data'] : [])
    const cursor: unknown = isRecord(body['meta']) ? body['meta']['prev_cursor'] : undefined
    if (cursor === null) {
      const before = expected.slice(0, expected.length - onLast)
      return { reason: difference(before, seen.toReversed().flat()), last }
    }
    if (typeof cursor !== 'string') return fail(`prev_cursor is ${JSON.stringify(cursor)}`)
    if (pages > expected.length + 2) return fail('the walk back does not end')
    last = await send({ meta: 'cursor', cursor })
  }
}
