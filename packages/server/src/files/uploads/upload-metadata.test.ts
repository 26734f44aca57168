import { expect, test } from 'vitest'
import { parseChecksum, parseCount, parseMetadata } from './upload-metadata.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

test('keys have values in base64, or none', () => {
  expect([...parseMetadata(`title ${base64('Größe')}, type ,empty`)]).toEqual([
    ['title', 'Größe'],
    ['type', ''],
    ['empty', ''],
  ])
  expect(parseMetadata('').size).toBe(0)
})

test.each([
  'a b c',
  'a !!!',
  `a ${base64('x')},a ${base64('y')}`,
  ',',
  'ä eA==',
  `a ${Buffer.from([0xff]).toString('base64')}`,
])('%j is refused', (header) => {
  expect(() => parseMetadata(header)).toThrow('Invalid payload')
})

test('a checksum has a known algorithm', () => {
  expect(parseChecksum(undefined)).toBeNull()
  expect(parseChecksum(`sha1 ${base64('x')}`)).toEqual({ algorithm: 'sha1', digest: Buffer.from('x') })
  expect(() => parseChecksum('md5 AAAA')).toThrow('sha1 or sha256')
})

test.each([undefined, '', '-1', '1.5', '1e3', ' 1', '9'.repeat(16)])('%j is no count', (header) => {
  expect(() => parseCount('Upload-Length', header)).toThrow('Upload-Length')
})
