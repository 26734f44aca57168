import { createHash } from 'node:crypto'
import { deflateSync, crc32 } from 'node:zlib'
import type { Rng } from '../../random/rng.ts'
import { capital } from './people.ts'
import type { Row } from './rules.ts'
import { TYPES, WORDS } from './world.ts'

export interface Upload {
  readonly name: string
  readonly type: string
  readonly content: Buffer
}

const EXTENSIONS: Readonly<Record<(typeof TYPES)[number], string>> = {
  'text/plain': 'txt',
  'text/csv': 'csv',
  'text/html': 'html',
  'application/json': 'json',
  'image/png': 'png',
}

export function randomUpload(rng: Rng): Upload {
  const type = rng.pick(TYPES)
  const name = `${rng.pick(WORDS)}_${rng.int(1, 999)}.${EXTENSIONS[type]}`
  const content =
    type === 'image/png'
      ? png(rng.int(4, 12), rng.int(4, 12), rng)
      : Buffer.from(`${name} ${'x'.repeat(rng.int(1, 120))}`)
  return { name, type, content }
}

/** What the service fills in of an upload. */
export function factsOf({ type, content }: Upload): Row {
  const isPicture = type === 'image/png'
  return {
    filesize: content.length,
    checksum: createHash('sha256').update(content).digest('hex'),
    width: isPicture ? content.readUInt32BE(16) : null,
    height: isPicture ? content.readUInt32BE(20) : null,
  }
}

/** `alpha_12.txt` → `Alpha 12` */
export const titleFor = (name: string): string => capital(name.replace(/\.\w+$/u, '').replaceAll('_', ' '))

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** A grey picture of random pixels. */
function png(width: number, height: number, rng: Rng): Buffer {
  const header = Buffer.from([0, 0, 0, width, 0, 0, 0, height, 8, 0, 0, 0, 0])
  const lines = Array.from({ length: height }, () => [0, ...Array.from({ length: width }, () => rng.int(0, 255))])
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(lines.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
