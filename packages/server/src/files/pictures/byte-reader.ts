import type { Readable } from 'node:stream'

/** The header ends early, or is longer than anybody needs. */
export class HeaderError extends Error {}

/** Reads a content from its beginning on, never back, and never more than its limits. */
export interface ByteReader {
  readonly position: () => number
  readonly take: (count: number) => Promise<Buffer>
  readonly skip: (count: number) => Promise<void>
  /** What was read so far and what follows, up to this number of bytes from the beginning. */
  readonly first: (count: number) => Promise<Buffer>
}

/** Bytes that are kept at once; a header is smaller. */
const MOST_TAKEN = 1024 * 1024
/** Bytes that are passed over: some formats have their header behind the pixels. */
const MOST_READ = 256 * 1024 * 1024
/** A header of many tiny parts must not keep the event loop busy. */
const MOST_STEPS = 5000
/** Bytes of the beginning that stay readable. */
const KEPT = 256 * 1024

export function createByteReader(content: Readable): ByteReader {
  const chunks = content.iterator({ destroyOnReturn: false })
  const start: Buffer[] = []
  let rest: Buffer = Buffer.alloc(0)
  let [position, arrived, kept, steps] = [0, 0, 0, 0]

  async function more(): Promise<boolean> {
    const { value, done } = (await chunks.next()) as { value: Buffer; done?: boolean }
    if (done === true) return false
    arrived += value.length
    if (kept < KEPT) start.push(value)
    kept += value.length
    rest = rest.length === 0 ? value : Buffer.concat([rest, value])
    return true
  }

  function step(count: number): void {
    steps += 1
    if (steps > MOST_STEPS || count < 0 || position + count > MOST_READ) throw new HeaderError('the header is too long')
  }

  return {
    position: () => position,
    take: async (count) => {
      step(count)
      if (count > MOST_TAKEN) throw new HeaderError('a part of the header is too long')
      while (rest.length < count) if (!(await more())) throw new HeaderError('the content ends too early')
      const taken = rest.subarray(0, count)
      rest = rest.subarray(count)
      position += count
      return taken
    },
    skip: async (count) => {
      step(count)
      const target = position + count
      while (arrived < target) {
        rest = Buffer.alloc(0)
        if (!(await more())) throw new HeaderError('the content ends too early')
      }
      rest = rest.subarray(rest.length - (arrived - target))
      position = target
    },
    first: async (count) => {
      while (arrived < Math.min(count, KEPT) && (await more()));
      return Buffer.concat(start).subarray(0, Math.min(count, KEPT))
    },
  }
}
