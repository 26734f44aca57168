import type { Readable } from 'node:stream'

/**
 * Messages between the service and a process that makes pictures: the length of a text, the text as JSON, and bytes whose
 * number stands in the text. Lengths have four bytes.
 */
export interface Message<T> {
  readonly head: T
  readonly body: Buffer
}

export function headOf(head: object, bodyLength: number): Buffer {
  const text = Buffer.from(JSON.stringify({ head, bodyLength }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  return Buffer.concat([length, text])
}

const MOST_HEAD = 1024 * 1024

/** Reads one message after another. Ends with the stream. */
export async function* messages<T>(stream: Readable): AsyncGenerator<Message<T>> {
  let [chunks, size]: [Buffer[], number] = [[], 0]
  const incoming = stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>

  async function take(count: number): Promise<Buffer | null> {
    while (size < count) {
      const { value, done } = await incoming.next()
      if (done === true) return null
      chunks.push(value)
      size += value.length
    }
    const all = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)
    chunks = [all.subarray(count)]
    size -= count
    return all.subarray(0, count)
  }

  for (;;) {
    const length = (await take(4))?.readUInt32LE(0)
    if (length === undefined) return
    if (length > MOST_HEAD) throw new Error('a message is too long')
    const text = await take(length)
    if (text === null) return
    const { head, bodyLength } = JSON.parse(text.toString()) as { head: T; bodyLength: number }
    const body = await take(bodyLength)
    if (body === null) return
    yield { head, body }
  }
}
