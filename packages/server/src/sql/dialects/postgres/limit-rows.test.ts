import { Buffer } from 'node:buffer'
import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { limitRows } from './limit-rows.ts'

const message = (code: string, content: string): Buffer => {
  const bytes = Buffer.alloc(5 + content.length)
  bytes.write(code)
  bytes.writeInt32BE(4 + content.length, 1)
  bytes.write(content, 5)
  return bytes
}

function receive(mostBytes: number) {
  const stream = new PassThrough()
  const received: Buffer[] = []
  stream.on('data', (chunk: Buffer) => received.push(chunk))
  const query = { rows: [], bytes: 0, completed: 0, mostBytes }
  const errors: unknown[] = []
  limitRows(stream, { query }, (error) => errors.push(error))
  return { stream, query, errors, received }
}

test('counts rows and nothing else, however the network cuts them', async () => {
  const bytes = Buffer.concat([message('2', ''), message('D', 'one'), message('D', 'three'), message('C', 'SELECT 2')])
  for (let size = 1; size <= bytes.length; size++) {
    const { stream, query, errors, received } = receive(1000)
    for (let start = 0; start < bytes.length; start += size) {
      stream.write(bytes.subarray(start, start + size))
      await turn()
    }
    expect(query.bytes).toBe(5 + 3 + 5 + 5)
    expect(errors).toEqual([])
    expect(Buffer.concat(received)).toEqual(bytes)
  }
})

test('a cell over 512 MiB fails its statement by the header alone, once', async () => {
  const { stream, errors } = receive(256 * 1024 ** 2)
  const header = message('D', '')
  header.writeUInt32BE(537_000_000, 1)
  stream.write(header)
  stream.write(message('D', 'more'))
  await turn()
  expect(errors).toMatchObject([{ fault: 'too-large', details: { mostBytes: 256 * 1024 ** 2 } }])
})
