import { expect, test } from 'vitest'
import { matchPath, matchRoute } from './match.ts'

test('a path gives the parts that a pattern names', () => {
  expect(matchPath('/c/:collection/:key', '/c/orders/7')).toEqual({ collection: 'orders', key: '7' })
  expect(matchPath('/', '/')).toEqual({})
  expect(matchPath('/access/policies', '/access/policies/')).toEqual({})
})

test('a path with other or more parts is another one', () => {
  expect(matchPath('/c/:collection', '/c/orders/7')).toBeNull()
  expect(matchPath('/c/:collection', '/c')).toBeNull()
  expect(matchPath('/access/users', '/access/roles')).toBeNull()
})

test('every route is found by its own path', () => {
  expect(matchRoute('/c/orders')?.params).toEqual({ collection: 'orders' })
  expect(matchRoute('/c/orders/7')?.route.title).toBe('Item')
  expect(matchRoute('/nowhere')).toBeNull()
})
