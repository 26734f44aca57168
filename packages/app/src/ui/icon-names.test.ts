import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sprite } from '../../build/sprite.ts'

test('the sprite holds the icons of the list', () => {
  expect(readFileSync(new URL('icons.svg', import.meta.url), 'utf8')).toBe(sprite())
})
