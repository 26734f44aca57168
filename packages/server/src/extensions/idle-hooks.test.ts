import { expect, test } from 'vitest'
import { idleHooks } from './idle-hooks.ts'
import { registerExtension } from './register.ts'

test('hooks that no change reaches are found, with the reason', async () => {
  const collections = new Map([
    ['articles', { isSystem: false }],
    ['service_users', { isSystem: true }],
  ])
  const extension = await registerExtension(
    'slugs',
    {
      register(api) {
        for (const name of ['articles', 'articels', 'service_users', 'orders']) {
          api.filter(name, ['create'], () => undefined)
          api.action(name, ['create'], () => undefined)
        }
      },
    },
    () => undefined,
  )
  expect(idleHooks([extension], collections).map(({ hook, reason }) => [hook, reason])).toEqual([
    ['filter articels', 'there is no collection "articels"; did you mean "articles"?'],
    ['filter service_users', 'the collections of the service itself cannot be filtered'],
    ['filter orders', 'there is no collection "orders"'],
    ['action articels', 'there is no collection "articels"; did you mean "articles"?'],
    ['action orders', 'there is no collection "orders"'],
  ])
})
