import { ServiceError, forbidden } from '@tain/contract'
import type { Collection } from '../../schema/schema.ts'
import { addressOf } from '../address.ts'
import { itemReply, listReply } from '../read.ts'
import { tooLarge } from '../../sql/driver.ts'
import { PART } from './in-parts.ts'
import { ask, prepare } from './read-in-transaction.ts'
import type { Run } from './request.ts'
import type { WriteReply, WriteRequest } from './write-request.ts'
import { recordset } from './statements.ts'

/** Reads the written rows like a normal read, in the order sent. Returns none if the caller cannot read all. */
export async function readBack(
  keys: readonly (readonly string[])[],
  collection: Collection,
  run: Run,
): Promise<WriteReply> {
  const mayRead = run.actor.may('read', collection)
  // Who may not read is not told either that there was nothing to write.
  const nothing: WriteReply = { rows: [], rowVersion: null, isHidden: keys.length > 0 || !mayRead }
  if (run.request.read === null || keys.length === 0 || !mayRead) return nothing
  try {
    return await readKeys(keys, run.request.read, collection, run)
  } catch (error) {
    if (run.actor.isAdmin || !(error instanceof ServiceError) || error.code !== 'FORBIDDEN') throw error
    return nothing
  }
}

async function readKeys(
  keys: readonly (readonly string[])[],
  read: NonNullable<WriteRequest['read']>,
  collection: Collection,
  run: Run,
): Promise<WriteReply> {
  const [only] = keys
  const base = { ...read, ...addressOf(collection), meta: [], cursor: null }
  if (keys.length === 1 && only !== undefined) {
    const prepared = prepare({ ...base, key: only }, run)
    const item = itemReply(prepared, await ask(prepared, run))
    return { rows: [item.data], rowVersion: item.rowVersion, isHidden: false }
  }
  const rows: string[] = []
  let size = 0
  for (let at = 0; at < keys.length; at += PART) {
    const part = keys.slice(at, at + PART)
    const set = recordset(part.map((key) => key.map((cell) => JSON.stringify(cell))))
    const prepared = prepare({ ...base, key: null, keys: set }, run)
    const found = listReply(prepared, await ask(prepared, run)).rows
    if (found.length < part.length) throw forbidden()
    for (const row of found) {
      size += row.length
      rows.push(row)
    }
    if (size > prepared.compiled.mostBytes) throw tooLarge(prepared.compiled.mostBytes)
  }
  return { rows, rowVersion: null, isHidden: false }
}
