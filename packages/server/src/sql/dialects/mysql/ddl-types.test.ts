import { expect, test } from 'vitest'
import { typeText } from './ddl-types.ts'

const form = { type: 'string', maxLength: null, precision: null, scale: null } as const
const can = { hasUuidType: true }

test.each(['inet4', 'inet6', 'int unsigned', 'longtext'])('a column can have the type %s', (native) => {
  expect(typeText({ ...form, native }, can)).toBe(native)
})

test.each(['inet6 not null', 'int(1)', 'x`y', '6'])('%s is no type', (native) => {
  expect(() => typeText({ ...form, native }, can)).toThrow(TypeError)
})
