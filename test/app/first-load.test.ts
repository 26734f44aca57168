import { expect, test } from 'vitest'
import { sizesOfApp } from './first-load.ts'

test('the first screen loads at most 150 KB of scripts and 20 KB of styles, and no later part has more than 130 KB', async () => {
  const { script, style, largestLater } = await sizesOfApp()
  expect(script).toBeGreaterThan(50)
  expect(script).toBeLessThanOrEqual(150)
  expect(style).toBeGreaterThan(1)
  expect(style).toBeLessThanOrEqual(20)
  expect(largestLater).toBeLessThanOrEqual(130)
})
