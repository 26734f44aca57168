import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A list of byte strings that lies in a file as soon as it is longer than may be held in memory. */
export interface SpilledList {
  readonly push: (bytes: Buffer) => void
  /** All of them, in order. */
  readonly read: () => Generator<Buffer>
  readonly count: () => number
  readonly close: () => void
}

const LENGTH = 4
const BLOCK = 1024 ** 2

export function createSpilledList(mostBytes: number): SpilledList {
  let held: Buffer[] = []
  let heldBytes = 0
  let count = 0
  let file: number | null = null

  function spill(): void {
    file ??= openHidden()
    const parts: Buffer[] = []
    for (const bytes of held) {
      const length = Buffer.alloc(LENGTH)
      length.writeUInt32LE(bytes.length)
      parts.push(length, bytes)
    }
    const block = Buffer.concat(parts)
    for (let written = 0; written < block.length;) written += writeSync(file, block, written)
    held = []
    heldBytes = 0
  }

  return {
    push(bytes) {
      held.push(bytes)
      heldBytes += bytes.length
      count += 1
      // Once there is a file, what is held is only what waits to be written.
      if (heldBytes > (file === null ? mostBytes : BLOCK)) spill()
    },
    *read() {
      if (file !== null) yield* readFile(file)
      yield* held
    },
    count: () => count,
    close() {
      held = []
      if (file !== null) closeSync(file)
      file = null
    },
  }
}

/** Only this process can reach it, and it is gone with the process. */
function openHidden(): number {
  const path = join(tmpdir(), `tain-${randomUUID()}`)
  const file = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  return file
}

function* readFile(file: number): Generator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for (let place = 0; ;) {
    const block = Buffer.alloc(BLOCK)
    const found = readSync(file, block, 0, BLOCK, place)
    if (found === 0) return
    place += found
    rest = Buffer.concat([rest, block.subarray(0, found)])
    let at = 0
    while (rest.length - at >= LENGTH) {
      const end = at + LENGTH + rest.readUInt32LE(at)
      if (end > rest.length) break
      yield rest.subarray(at + LENGTH, end)
      at = end
    }
    rest = rest.subarray(at)
  }
}
