import { buffer } from 'node:stream/consumers'
import type { Bucket } from './bucket.ts'
import { leastPart, partSize } from './part-size.ts'
import { checkedKey, type BucketUpload, type Pieces, type PieceState, type PieceWriter } from './storage.ts'

const empty: BucketUpload = { id: null, parts: [], tail: 0 }

interface Place {
  readonly bucket: Bucket
  readonly keyOf: (key: string) => string
}

const tailKey = ({ keyOf }: Place, { name }: PieceState, part: number) => keyOf(checkedKey(`.part/${name}-${part}`))

/**
 * A bucket refuses small parts, so bytes that are too few for one wait in an object of their own, the tail. Each part has
 * its own tail, which only grows: a tail that a kept state names is never overwritten by other bytes.
 */
export function bucketPieces(bucket: Bucket, keyOf: (key: string) => string): Pieces {
  const place = { bucket, keyOf }

  async function removeTails(state: PieceState): Promise<void> {
    for await (const { key } of bucket.list(keyOf(`.part/${state.name}-`))) await bucket.remove(key)
  }

  return {
    begin: (name, key) => ({ name, key, size: 0 }),
    resume: (state) => resume(place, state),
    async finish(state) {
      const key = keyOf(state.key)
      if ((await bucket.size(key)) !== state.size) {
        const tail = await tailOf(place, state)
        if ((state.bucket?.id ?? null) === null) await bucket.put(key, tail)
        else {
          const { id, parts } = (tail.length === 0 ? state : await withPart(place, state, tail)).bucket ?? empty
          if (!(await bucket.complete(key, id ?? '', parts))) throw new Error('the bucket lost an upload')
        }
      }
      await removeTails(state)
    },
    async abort(state) {
      const id = state.bucket?.id ?? null
      if (id !== null) await bucket.abort(keyOf(state.key), id)
      await removeTails(state)
    },
  }
}

async function tailOf(place: Place, state: PieceState): Promise<Buffer> {
  const { parts, tail } = state.bucket ?? empty
  if (tail === 0) return Buffer.alloc(0)
  const found = await place.bucket.get(tailKey(place, state, parts.length), { first: 0, last: tail - 1 })
  const bytes = found === null ? null : await buffer(found)
  if (bytes?.length !== tail) throw new Error('the bucket lost a part of an upload')
  return bytes
}

/** Bytes become the next part of the upload, which begins with its first part. */
async function withPart({ bucket, keyOf }: Place, state: PieceState, bytes: Buffer): Promise<PieceState> {
  const { id: known, parts } = state.bucket ?? empty
  const key = keyOf(state.key)
  const id = known ?? (await bucket.begin(key))
  const tag = await bucket.addPart(key, id, parts.length + 1, bytes)
  return { ...state, bucket: { id, parts: [...parts, tag], tail: 0 } }
}

async function resume(place: Place, before: PieceState): Promise<PieceWriter> {
  const { bucket } = place
  const waiting = await tailOf(place, before)
  const { parts, tail } = before.bucket ?? empty
  // The state that names this one is kept, so the tail of the part before it is of no more use.
  if (parts.length > 0 && tail === 0) await bucket.remove(tailKey(place, before, parts.length - 1))
  let state = before
  let gathered: Buffer[] = waiting.length === 0 ? [] : [waiting]
  let length = waiting.length

  async function flush(): Promise<void> {
    state = await withPart(place, state, Buffer.concat(gathered))
    gathered = []
    length = 0
  }
  return {
    async write(bytes) {
      gathered.push(Buffer.from(bytes))
      length += bytes.length
      state = { ...state, size: state.size + bytes.length }
      if (length >= partSize(state.bucket?.parts.length ?? 0)) await flush()
    },
    async settle() {
      const known = state.bucket ?? empty
      if (length >= leastPart(known.parts.length)) await flush()
      else if (length > known.tail) {
        const bytes = Buffer.concat(gathered)
        gathered = [bytes]
        await bucket.put(tailKey(place, state, known.parts.length), bytes)
        state = { ...state, bucket: { ...known, tail: length } }
      }
      return state
    },
    close: () => Promise.resolve(),
  }
}
