import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Actor } from '../access/actor.ts'
import type { Engine } from '../engine/engine.ts'
import type { Schema } from '../schema/schema.ts'

/** A document in pieces of JSON text, and its ETag. */
export interface CallerDocument {
  readonly pieces: readonly string[]
  readonly tag: string
}

/** Characters of documents that are kept. */
const MOST_KEPT = 64 * 1024 ** 2
/** Milliseconds of work before other requests get a turn. */
const SLICE = 5

/** Callers with the same permissions share a document, for as long as the schema is the same. */
export function createCallerDocuments<Variant extends string>(
  engine: Engine,
  build: (actor: Actor, schema: Schema, variant: Variant) => Promise<CallerDocument>,
): (caller: Actor, variant: Variant) => Promise<CallerDocument> {
  const kept = new LRUCache<string, Promise<CallerDocument>>({ max: 100 })
  const sizes = new LRUCache<string, CallerDocument>({
    max: 100,
    maxSize: MOST_KEPT,
    sizeCalculation: ({ pieces }) => pieces.reduce((sum, piece) => sum + piece.length, 1),
  })
  return async (caller, variant) => {
    const actor = await engine.renew(caller)
    const schema = await engine.exactSchema()
    const key = `${schema.generation} ${actor.grantKey} ${actor.user === null ? 'public' : 'user'} ${variant}`
    const ready = sizes.get(key)
    if (ready !== undefined) return ready
    const running = kept.get(key) ?? build(actor, schema, variant)
    kept.set(key, running)
    try {
      const document = await running
      sizes.set(key, document)
      return document
    } finally {
      kept.delete(key)
    }
  }
}

/** All pieces and their hash. Other requests get their turn meanwhile. */
export async function gather(
  found: Iterable<string>,
): Promise<{ readonly pieces: readonly string[]; readonly digest: string }> {
  const pieces: string[] = []
  const hash = createHash('sha256')
  let began = performance.now()
  for (const piece of found) {
    pieces.push(piece)
    hash.update(piece)
    if (performance.now() - began > SLICE) {
      await turn()
      began = performance.now()
    }
  }
  return { pieces, digest: hash.digest('base64url') }
}
