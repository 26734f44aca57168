import { argon2Sync } from 'node:crypto'
import { expect, test } from 'vitest'
import { hasHash, hashOfNothing, hashText } from './argon2.ts'

test('a hash is argon2id in the PHC form and can be computed again from its own parameters', async () => {
  const hash = await hashText('secret')
  const [, algorithm, version, parameters, salt = '', tag] = hash.split('$')
  expect([algorithm, version, parameters]).toEqual(['argon2id', 'v=19', 'm=19456,t=2,p=1'])
  const again = argon2Sync('argon2id', {
    message: 'secret',
    nonce: Buffer.from(salt, 'base64'),
    parallelism: 1,
    tagLength: 32,
    memory: 19_456,
    passes: 2,
  })
  expect(again.toString('base64').replace(/=+$/u, '')).toBe(tag)
})

test('the same text never gives the same hash', async () => {
  expect(await hashText('secret')).not.toBe(await hashText('secret'))
})

test('a hash is the hash of its own text and of no other', async () => {
  const hash = await hashText('secret')
  expect([await hasHash('secret', hash), await hasHash('Secret', hash), await hasHash('', hash)]).toEqual([
    true,
    false,
    false,
  ])
})

test.each([
  ['nothing', ''],
  ['another kind', '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'],
  ['another variant', '$argon2i$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaA'],
  ['far too much memory', '$argon2id$v=19$m=9999999,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaA'],
  ['too many passes', '$argon2id$v=19$m=19456,t=999,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaA'],
  ['no lanes', '$argon2id$v=19$m=19456,t=2,p=0$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaA'],
])('a hash with %s fits no text', async (_, hash) => {
  expect(await hasHash('secret', hash)).toBe(false)
})

test('the hash of nothing looks like any other and fits no text', async () => {
  expect(hashOfNothing().replace(/\$[^$]+\$[^$]+$/u, '')).toBe((await hashText('x')).replace(/\$[^$]+\$[^$]+$/u, ''))
  expect(await hasHash('secret', hashOfNothing())).toBe(false)
})
