import { expect, test } from 'vitest'
import { createKeyring } from './keyring.ts'
import { createSecretEncryption } from './secret-encryption.ts'

const [FIRST, SECOND] = ['a'.repeat(32), 'b'.repeat(32)]
const seal = createSecretEncryption(createKeyring(FIRST, null))

test('what is sealed for somebody opens for them alone', () => {
  const encrypted = seal.encrypt('secret', 'one')
  expect(encrypted).not.toContain('secret')
  expect([seal.decrypt(encrypted, 'one'), seal.decrypt(encrypted, 'two')]).toEqual(['secret', null])
})

test('the same secret never looks the same', () => {
  expect(seal.encrypt('secret', 'one')).not.toBe(seal.encrypt('secret', 'one'))
})

test('a change of any character makes it unreadable', () => {
  const encrypted = seal.encrypt('secret', 'one')
  // The last character of each part may contain unused bits, so it is skipped.
  const places = encrypted
    .split('')
    .flatMap((character, index) =>
      character === '.' || encrypted[index + 1] === '.' || index === encrypted.length - 1 ? [] : [index],
    )
  for (const at of places) {
    const other = encrypted[at] === 'A' ? 'B' : 'A'
    expect(seal.decrypt(`${encrypted.slice(0, at)}${other}${encrypted.slice(at + 1)}`, 'one')).toBeNull()
  }
})

test('a key that follows opens what the one before it sealed, as long as that is named', () => {
  const encrypted = seal.encrypt('secret', 'one')
  expect(createSecretEncryption(createKeyring(SECOND, FIRST)).decrypt(encrypted, 'one')).toBe('secret')
  expect(createSecretEncryption(createKeyring(SECOND, null)).decrypt(encrypted, 'one')).toBeNull()
})

test.each(['', 'secret', 'v1.x.y.z', 'v2.a.b.c.d'])('"%s" was never sealed', (text) => {
  expect(seal.decrypt(text, 'one')).toBeNull()
})
