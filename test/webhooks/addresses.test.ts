import { expect, test } from 'vitest'
import { runHostileAddresses } from './addresses.ts'

test('however it is written, no address leads a request into a network of its own', async () => {
  const { arrived, stored, refused } = await runHostileAddresses(400, 7)
  expect({ arrived, stored }).toEqual({ arrived: [], stored: [] })
  expect(refused).toBeGreaterThan(200)
}, 60_000)

test('without the check, requests arrive', async () => {
  const { arrived } = await runHostileAddresses(60, 7, () => true)
  expect(arrived.length).toBeGreaterThan(0)
}, 120_000)
