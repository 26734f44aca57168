import { argon2Sync } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashText } from './argon2.ts'

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
