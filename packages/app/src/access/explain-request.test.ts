import { expect, test } from 'vitest'
import { explainRequest, type Question } from './explain-request.ts'

const question: Question = { collection: 'orders', action: 'read', key: '', body: '' }
const orders = { collection: 'orders' }

test('a question without a key is about the list', () => {
  expect(explainRequest(null, question, orders)).toEqual({ user: null, method: 'GET', path: '/items/orders' })
})

test('keys are encoded, part by part', () => {
  expect(explainRequest('u', { ...question, key: 'a/b, 2' }, orders).path).toBe('/items/orders/a%2Fb,2')
})

test('collections of the service have routes of their own', () => {
  const users = { collection: 'service_users', system: true }
  expect(explainRequest('u', { ...question, collection: 'service_users' }, users).path).toBe('/users')
})

test('a write needs its key, and sends its values', () => {
  expect(() => explainRequest('u', { ...question, action: 'update' }, orders)).toThrow('key')
  expect(explainRequest('u', { ...question, action: 'update', key: '5', body: '{"a":1}' }, orders)).toEqual({
    user: 'u',
    method: 'PATCH',
    path: '/items/orders/5',
    body: { a: 1 },
  })
  expect(() => explainRequest('u', { ...question, action: 'create', body: 'x' }, orders)).toThrow('not JSON')
})
