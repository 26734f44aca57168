import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { rangeOf } from './byte-range.ts'

test.each([
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=2-4', { first: 2, last: 4 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-30', { first: 0, last: 9 }],
  ['bytes=8-', { first: 8, last: 9 }],
  ['bytes=5-999', { first: 5, last: 9 }],
  ['Bytes=5-6', { first: 5, last: 6 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=50-60', 'unsatisfiable'],
  ['bytes=4-2', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['items=0-2', 'whole'],
  ['bytes=0-1,3-4', 'whole'],
  ['bytes=a-b', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=0', 'whole'],
  [undefined, 'whole'],
])('%s of ten bytes', (header, range) => expect(rangeOf(header, 10)).toEqual(range))

test('a file without bytes has no part', () => {
  for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-1']) expect(rangeOf(header, 0)).toBe('unsatisfiable')
})

test('a range holds the bytes that the same cut of the content has', () => {
  const number = fc.option(fc.nat({ max: 40 }), { nil: null })
  const cut = (bytes: readonly number[], from: number | null, to: number | null) => {
    if (from !== null) return bytes.slice(from, to === null ? bytes.length : to + 1)
    return to === null ? bytes : bytes.slice(Math.max(0, bytes.length - to))
  }
  const within = (bytes: readonly number[], range: ReturnType<typeof rangeOf>) => {
    if (range === 'whole') return bytes
    return range === 'unsatisfiable' ? [] : bytes.slice(range.first, range.last + 1)
  }
  fc.assert(
    fc.property(number, number, fc.nat({ max: 30 }), (from, to, size) => {
      const bytes = Array.from({ length: size }, (_, at) => at)
      expect(within(bytes, rangeOf(`bytes=${from ?? ''}-${to ?? ''}`, size))).toEqual(cut(bytes, from, to))
    }),
    { seed: 1, numRuns: 500 },
  )
})
