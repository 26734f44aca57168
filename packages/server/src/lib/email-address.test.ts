import { expect, test } from 'vitest'
import { isEmailAddress } from './email-address.ts'

test.each(['a@b', 'ada@example.com', "o'neil+tag@sub.example.co", 'jörg@müller.de', 'root@localhost'])('%s', (text) => {
  expect(isEmailAddress(text)).toBe(true)
})

test.each(['', 'a', 'a@', '@b', 'a b@c', 'a@b@c', 'a@b..c', 'a@-b', 'a@b-', 'a@b\n', '<a@b>', `${'a'.repeat(255)}@b`])(
  'not %j',
  (text) => {
    expect(isEmailAddress(text)).toBe(false)
  },
)
