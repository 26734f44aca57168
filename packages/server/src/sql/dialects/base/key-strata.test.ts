import { describe, expect, test } from 'vitest'
import type { SampledKey } from '../../distribution.ts'
import type { Row } from '../../driver.ts'
import { commonPrefix, decimalPlaces, integerPlaces, textPlaces, tuplePlaces, type PlacesOf } from './key-places.ts'
import { ROWS, sampleStrata } from './key-strata.ts'

/** How many of the sorted places are before this one. */
function countBefore(places: readonly bigint[], place: bigint): number {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((places[middle] ?? 0n) < place) low = middle + 1
    else high = middle
  }
  return low
}

/** Samples sorted keys like a database would, and counts the searches. */
async function sampled(keys: readonly Row[], columns: readonly PlacesOf[]) {
  const { placeOf } = tuplePlaces(columns)
  const places = keys.map(placeOf)
  let searches = 0
  const line = { placeOf, keyOf: (row: Row) => row }
  const ends = { from: keys.slice(0, ROWS), last: keys.at(-1) ?? [] }
  const sample = await sampleStrata(ends, line, async (wanted) => {
    searches += wanted.length
    return wanted.map((place) => {
      const from = countBefore(places, place)
      return { before: keys[from - 1] ?? null, from: keys.slice(from, from + ROWS) }
    })
  })
  return { sample, searches, places, placeOf }
}

/** The largest difference between the share of a key in the sample and in the table. */
function largestError({ sample, places, placeOf }: Awaited<ReturnType<typeof sampled>>): number {
  const total = sample.reduce((sum, { weight }) => sum + weight, 0)
  let before = 0
  return Math.max(
    ...sample.map(({ key, weight }: SampledKey) => {
      const share = before / total
      before += weight
      return Math.abs(share - countBefore(places, placeOf(key)) / places.length)
    }),
  )
}

const row = (...values: readonly unknown[]): Row => values.map(String)
const range = (count: number) => Array.from({ length: count }, (_, index) => index)
const numbers = [integerPlaces(64n)]
const digest = (n: number) => ((n * 2654435761) % 2 ** 32).toString(16).padStart(8, '0')
const shifted = range(20_000)
  .map((n) => `sku-${digest(n)}`)
  .toSorted()

describe('a sample by keys', () => {
  test.each<[string, readonly Row[], readonly PlacesOf[]]>([
    ['dense numbers', range(20_000).map((n) => row(n)), numbers],
    ['negative numbers', range(20_000).map((n) => row(n - 15_000)), numbers],
    ['numbers that become rarer', range(20_000).map((n) => row(n ** 3)), numbers],
    ['one number far away', [...range(20_000).map((n) => row(n)), row(10n ** 17n)], numbers],
    ['two groups with a gap', range(20_000).map((n) => row(n < 4000 ? n : n * 7 + 10 ** 12)), numbers],
    ['decimals', range(20_000).map((n) => row((n / 100).toFixed(2))), [decimalPlaces(12, 2)]],
    [
      'texts with a prefix',
      shifted.map((text) => row(text)),
      [textPlaces(commonPrefix(shifted[0] ?? '', shifted.at(-1) ?? ''), false)],
    ],
    [
      'two columns',
      range(20_000).map((n) => row(Math.floor(n / 5000), n % 5000)),
      [integerPlaces(64n), integerPlaces(64n)],
    ],
  ])('of %s is near the truth', async (_, keys, columns) => {
    const found = await sampled(keys, columns)
    expect(largestError(found)).toBeLessThan(0.03)
    expect(found.searches).toBeLessThanOrEqual(4 * 192)
    expect(found.sample.length).toBeGreaterThan(500)
  })

  test.each([0, 1, 5, 40])('of %i rows has each of them at most once', async (count) => {
    const { sample } = await sampled(
      range(count).map((n) => row(n * n)),
      numbers,
    )
    const keys = sample.map(({ key }) => key.join())
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys.length === 0).toBe(count === 0)
  })
})

describe('places', () => {
  test.each([
    [integerPlaces(64n), ['-9223372036854775808', '-1', '0', '7', '9223372036854775807']],
    [decimalPlaces(12, 2), ['-3.50', '-0.01', '0.00', '12.34']],
    [textPlaces('', true), ['00000000000A', '0000000000zz', 'Azzzzzzzzzzz', 'zzzzzzzzzzzz']],
    [textPlaces('sku-', false), ['sku-000000000000', 'sku-abcdef012345']],
  ])('keep order and text', (places, texts) => {
    const found = texts.map(places.placeOf)
    expect(found.map(places.textAt)).toEqual(texts)
    expect(found).toEqual(found.toSorted((a, b) => (a < b ? -1 : 1)))
    expect(found.every((place) => place >= 0n && place < 2n ** places.bits)).toBe(true)
  })
})
