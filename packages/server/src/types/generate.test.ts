import { DESCRIPTION_VERSION, reservedTypeNames } from '@tain/contract'
import { expect, test } from 'vitest'
import { shop } from '../../../../test/types/shop.ts'
import { generateTypes } from './generate.ts'

test('the types of a shop', async () => {
  await expect(generateTypes(shop, 'the administrator')).toMatchFileSnapshot('../../../../test/types/shop.golden.txt')
})

test('the names that every file has are reserved', () => {
  const file = generateTypes({ version: DESCRIPTION_VERSION, collections: [] }, 'nobody')
  const names = [...file.matchAll(/^export (?:type|interface) (\w+)/gmu)].map(([, name]) => name)
  expect(new Set([...names, 'Partial'])).toEqual(new Set(reservedTypeNames))
})
