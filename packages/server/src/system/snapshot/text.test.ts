import { expect, it } from 'vitest'
import { formats, readText, writeText } from './text.ts'

const value = {
  version: 1,
  collections: [
    {
      collection: 'yes',
      meta: { note: 'line\nbreak: "x" # no comment', icon: '~', options: { on: [true, null, 1.5] } },
    },
  ],
}

it.each(formats)('%s comes back as it was', (format) => {
  const text = writeText(value, format)
  expect(readText(text, format)).toEqual(value)
  expect(readText(text, null)).toEqual(value)
  expect(writeText(value, format)).toBe(text)
})

it.each(['a: 1\na: 2', 'a: [1', 'a: &x [1]\nb: *x', '{"a": 1'])('what cannot be read is refused: %j', (text) => {
  expect(() => readText(text, 'yaml')).toThrow(expect.objectContaining({ code: 'INVALID_PAYLOAD' }))
})
