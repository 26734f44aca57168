import { expect, test } from 'vitest'
import { everything, filterOf } from './activity-query.ts'

test('without conditions everything is asked for', () => {
  expect(filterOf(everything)).toBeUndefined()
})

test('each condition narrows, and a person is found by name or address', () => {
  expect(filterOf({ action: 'update', collection: 'orders', person: 'anna', since: '2026-11-01' })).toEqual({
    _and: [
      { action: { _eq: 'update' } },
      { collection: { _eq: 'orders' } },
      { timestamp: { _gte: '2026-11-01T00:00:00Z' } },
      {
        _or: [
          { user: { first_name: { _icontains: 'anna' } } },
          { user: { last_name: { _icontains: 'anna' } } },
          { user: { email: { _icontains: 'anna' } } },
        ],
      },
    ],
  })
})
