import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { S3Location } from '../../config/storage.ts'
import { createBucket, type Bucket } from './bucket.ts'
import { bucketPieces } from './bucket-pieces.ts'
import { partSize } from './part-size.ts'
import { checkedKey, type Storage } from './storage.ts'

/** A request that copies takes no more. */
const MOST_COPIED = 5 * 1024 ** 3

/** A bucket. Objects in it are private, and appear whole because only complete uploads become objects. */
export function createS3Storage(location: S3Location): Storage {
  const bucket = createBucket(location)
  const root = location.root === '' ? '' : `${location.root}/`
  const keyOf = (key: string) => `${root}${checkedKey(key)}`

  async function* list(prefix: string) {
    for await (const { key, ...object } of bucket.list(`${root}${prefix}`)) {
      const name = key.slice(root.length)
      if (prefix.startsWith('.part/') || !name.includes('/')) yield { key: name, ...object }
    }
  }

  const storage: Storage = {
    write: (key, content) => writeWhole(bucket, keyOf(key), content),
    read: (key, range) => bucket.get(keyOf(key), range),
    size: (key) => bucket.size(keyOf(key)),
    async move(from, to) {
      const size = await bucket.size(keyOf(from))
      if (size !== null && size > MOST_COPIED) {
        const content = await storage.read(from)
        if (content !== null) await storage.write(to, content)
      } else await bucket.copy(keyOf(from), keyOf(to))
      await bucket.remove(keyOf(from))
    },
    remove: (key) => bucket.remove(keyOf(key)),
    list,
    presign: (key, content) => bucket.presign(keyOf(key), content),
    pieces: bucketPieces(bucket, keyOf),
    async probe() {
      const key = keyOf(`probe-${randomUUID()}`)
      await bucket.put(key, Buffer.from('probe'))
      await bucket.remove(key)
    },
    close: () => bucket.close(),
  }
  return storage
}

/** Holds one part in memory at a time; content of a single part needs one request. */
async function writeWhole(bucket: Bucket, key: string, content: Readable): Promise<void> {
  const tags: string[] = []
  let id: string | undefined
  let gathered: Buffer[] = []
  let size = 0
  const flush = async () => {
    id ??= await bucket.begin(key)
    const bytes = Buffer.concat(gathered)
    gathered = []
    size = 0
    tags.push(await bucket.addPart(key, id, tags.length + 1, bytes))
  }
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      gathered.push(chunk)
      size += chunk.length
      if (size >= partSize(tags.length)) await flush()
    }
    if (id === undefined) return await bucket.put(key, Buffer.concat(gathered))
    if (size > 0) await flush()
    if (!(await bucket.complete(key, id, tags))) throw new Error('the bucket lost an upload')
  } catch (error) {
    if (id !== undefined) await bucket.abort(key, id).catch(() => undefined)
    throw error
  }
}
