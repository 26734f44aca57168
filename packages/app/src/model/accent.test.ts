import { expect, test } from 'vitest'
import { colourOf, contrast, DEFAULT_HUE, hueOfColour, linearOf } from './accent.ts'

test('a hue survives being stored as a colour', () => {
  for (const hue of [0, 45, 90, 130, 196, 260, 330]) {
    const distance = Math.abs(((hueOfColour(colourOf(hue)) - hue + 540) % 360) - 180)
    expect(distance, `${hue} became ${hueOfColour(colourOf(hue))}`).toBeLessThanOrEqual(8)
  }
})

test('grey, the stored default and nonsense mean the hue of the app', () => {
  expect(['#808080', '#6644FF', 'petrol', ''].map(hueOfColour)).toEqual(Array.from({ length: 4 }, () => DEFAULT_HUE))
})

test('black on white has the greatest contrast', () => {
  expect(contrast([0, 0, 0], [1, 1, 1])).toBeCloseTo(21)
})

test('no hue breaks the contrast of text on the accent, in light and dark', () => {
  for (let hue = 0; hue < 360; hue += 1) {
    expect(contrast(linearOf(0.5, 0.085, hue), [1, 1, 1]), `light ${hue}`).toBeGreaterThanOrEqual(4.5)
    expect(contrast(linearOf(0.76, 0.1, hue), linearOf(0.2, 0.03, hue)), `dark ${hue}`).toBeGreaterThanOrEqual(4.5)
  }
})
