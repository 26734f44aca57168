import { describe, expect, test } from 'vitest'
import {
  correctionOf,
  fixedModules,
  formatBits,
  isMasked,
  multiplied,
  path,
  qrMatrix,
  versionBits,
  type QrMatrix,
} from './qr.ts'

test('the correction codewords are those of the example in the standard', () => {
  const block = [0x10, 0x20, 0x0c, 0x56, 0x61, 0x80, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11]
  expect(correctionOf(block, 10)).toEqual([0xa5, 0x24, 0xd4, 0xc1, 0xed, 0x36, 0xc7, 0x87, 0x2c, 0x55])
})

test('format and version are coded as the tables of the standard list them', () => {
  expect(formatBits(5).toString(2)).toBe('100000011001110')
  expect(formatBits(0).toString(2)).toBe('101010000010010')
  expect(versionBits(7).toString(2).padStart(18, '0')).toBe('000111110010010100')
})

describe('a reader gets the text back', () => {
  test.each([
    ['a', 21],
    ['otpauth://totp/Tain:eve%40example.com?issuer=Tain&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', 41],
    ['Grüße, 世界', 21 + 4],
    ['x'.repeat(180), 53],
    ['x'.repeat(181), 57],
    ['y'.repeat(331), 69],
  ])('%s', (text, size) => {
    const matrix = qrMatrix(text)
    expect(matrix?.length).toBe(size)
    expect(matrix === null ? null : read(matrix)).toBe(text)
  })
})

test('a text that does not fit gives nothing', () => {
  expect(qrMatrix('z'.repeat(332))).toBeNull()
})

/** Blocks of level M in versions 1 to 13: number, and correction codewords in each. */
const blocksOf = [
  [1, 10],
  [1, 16],
  [1, 26],
  [2, 18],
  [2, 24],
  [4, 16],
  [4, 18],
  [4, 22],
  [5, 22],
  [5, 26],
  [5, 30],
  [8, 22],
  [9, 22],
] as const

function read(matrix: QrMatrix): string {
  const size = matrix.length
  const number = (size - 17) / 4
  const dark = (x: number, y: number) => matrix[y]?.[x] === true
  const format = Array.from({ length: 15 }, (_, index) =>
    index < 8 ? dark(size - 1 - index, 8) : dark(8, size - 15 + index),
  ).reduce((bits, bit, index) => bits | (Number(bit) << index), 0)
  const mask = [0, 1, 2, 3, 4, 5, 6, 7].find((each) => formatBits(each) === format) ?? -1
  const bits = path(size, fixedModules(number, mask)).map(({ x, y }) => Number(dark(x, y) !== isMasked(mask, x, y)))
  const words = Array.from({ length: Math.floor(bits.length / 8) }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((a, b) => a * 2 + b, 0),
  )
  const [count, correction] = blocksOf[number - 1] ?? [1, 10]
  const data = words.length - count * correction
  const blocks: number[][] = Array.from({ length: count }, () => [])
  const short = Math.floor(data / count)
  let at = 0
  for (let index = 0; index <= short; index += 1)
    blocks.forEach((block, which) => {
      if (index < short || which >= count - (data % count)) block.push(words[at++] ?? -1)
    })
  const texts = blocks.map((block) => [...block])
  for (let index = 0; index < correction; index += 1) for (const block of blocks) block.push(words[at++] ?? -1)
  for (const block of blocks)
    for (let power = 0, root = 1; power < correction; power += 1, root = multiplied(root, 2))
      expect(block.reduce((sum, word) => multiplied(sum, root) ^ word, 0)).toBe(0)
  const stream = texts
    .flat()
    .map((word) => word.toString(2).padStart(8, '0'))
    .join('')
  const lengthBits = number < 10 ? 8 : 16
  expect(stream.slice(0, 4)).toBe('0100')
  const length = Number.parseInt(stream.slice(4, 4 + lengthBits), 2)
  const bytes = Array.from({ length }, (_, index) =>
    Number.parseInt(stream.slice(4 + lengthBits + index * 8, 12 + lengthBits + index * 8), 2),
  )
  return new TextDecoder().decode(new Uint8Array(bytes))
}
