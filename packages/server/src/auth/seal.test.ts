import { expect, test } from 'vitest'
import { createKeyring } from './keyring.ts'
import { createSeal } from './seal.ts'

const [FIRST, SECOND] = ['a'.repeat(32), 'b'.repeat(32)]
const seal = createSeal(createKeyring(FIRST, null))

test('what is sealed for somebody opens for them alone', () => {
  const sealed = seal.close('secret', 'one')
  expect(sealed).not.toContain('secret')
  expect([seal.open(sealed, 'one'), seal.open(sealed, 'two')]).toEqual(['secret', null])
})

test('the same secret never looks the same', () => {
  expect(seal.close('secret', 'one')).not.toBe(seal.close('secret', 'one'))
})

test('a change of any character makes it unreadable', () => {
  const sealed = seal.close('secret', 'one')
  // The last character of each part may hold bits that mean nothing, so it is left out.
  const places = sealed
    .split('')
    .flatMap((character, index) =>
      character === '.' || sealed[index + 1] === '.' || index === sealed.length - 1 ? [] : [index],
    )
  for (const at of places) {
    const other = sealed[at] === 'A' ? 'B' : 'A'
    expect(seal.open(`${sealed.slice(0, at)}${other}${sealed.slice(at + 1)}`, 'one')).toBeNull()
  }
})

test('a key that follows opens what the one before it sealed, as long as that is named', () => {
  const sealed = seal.close('secret', 'one')
  expect(createSeal(createKeyring(SECOND, FIRST)).open(sealed, 'one')).toBe('secret')
  expect(createSeal(createKeyring(SECOND, null)).open(sealed, 'one')).toBeNull()
})

test.each(['', 'secret', 'v1.x.y.z', 'v2.a.b.c.d'])('"%s" was never sealed', (text) => {
  expect(seal.open(text, 'one')).toBeNull()
})
