import { Buffer } from 'node:buffer'
import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { DatabaseError, type Row } from '../../driver.ts'
import { readRows } from './rows.ts'

const dataRow = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  const row = Buffer.alloc(11 + bytes.length)
  row.write('D')
  row.writeInt32BE(10 + bytes.length, 1)
  row.writeInt16BE(1, 5)
  row.writeInt32BE(bytes.length, 7)
  bytes.copy(row, 11)
  return row
}

/** The beginning of a row with one cell of this many bytes. */
const beginningOf = (bytes: number): Buffer => {
  const row = Buffer.alloc(11)
  row.write('D')
  row.writeInt32BE(10 + bytes, 1)
  row.writeInt16BE(1, 5)
  row.writeInt32BE(bytes, 7)
  return row
}

function receive(mostBytes: number, forward: (chunk: Buffer) => void = () => undefined) {
  const stream = new PassThrough()
  stream.on('data', forward)
  const query = { rows: [] as Row[], bytes: 0, completed: 0, mostBytes }
  const errors: unknown[] = []
  readRows(stream, { query }, (error) => errors.push(error))
  return { stream, query, errors }
}

test('a cell over 512 MiB fails its statement by the header alone', async () => {
  const { stream, query, errors } = receive(256 * 1024 ** 2)
  stream.write(beginningOf(537_000_000))
  await turn()
  expect(errors).toHaveLength(1)
  expect(errors[0]).toBeInstanceOf(DatabaseError)
  expect(errors[0]).toMatchObject({ fault: 'too-large' })
  stream.write(dataRow('more'))
  await turn()
  expect(query.rows).toEqual([])
  expect(errors).toHaveLength(1)
})

test('rows count together', async () => {
  const { stream, query, errors } = receive(40)
  stream.write(Buffer.concat([dataRow('one'), dataRow('two'), dataRow('three')]))
  await turn()
  expect(query.rows).toEqual([['one'], ['two']])
  expect(errors).toMatchObject([{ fault: 'too-large', details: { mostBytes: 40 } }])
})

test('an exception while a chunk is read fails the statement and not the process', async () => {
  const { stream, errors } = receive(1000, () => {
    throw new TypeError('unforeseen')
  })
  stream.write(Buffer.from([0x5a, 0, 0, 0, 5, 0x49]))
  await turn()
  expect(errors).toMatchObject([{ message: 'unforeseen' }])
})
