import { describe, expect, test } from 'vitest'
import { resolveVariable, type Variables } from './variables.ts'

const variables: Variables = {
  now: new Date('2024-02-29T12:00:00.000Z'),
  user: 'u1',
  role: 'r1',
  roles: ['r1', 'r2'],
  policies: ['p1'],
  paths: new Map(),
}
const resolve = (value: unknown) => resolveVariable(value, variables)

describe('$NOW', () => {
  test.each([
    ['$NOW', '2024-02-29T12:00:00.000Z'],
    ['$NOW(0)', '2024-02-29T12:00:00.000Z'],
    ['$NOW(-250 ms)', '2024-02-29T11:59:59.750Z'],
    ['$NOW(+1 second)', '2024-02-29T12:00:01.000Z'],
    ['$NOW(-90 minutes)', '2024-02-29T10:30:00.000Z'],
    ['$NOW(2h)', '2024-02-29T14:00:00.000Z'],
    ['$NOW(-1 day)', '2024-02-28T12:00:00.000Z'],
    ['$NOW(-1)', '2024-02-28T12:00:00.000Z'],
    ['$NOW(1.5 days)', '2024-03-02T00:00:00.000Z'],
    ['$NOW(1 w)', '2024-03-07T12:00:00.000Z'],
    ['$NOW(+2 MONTHS)', '2024-04-29T12:00:00.000Z'],
    ['$NOW(-4 years)', '2020-02-29T12:00:00.000Z'],
  ])('%s is %s', (value, timestamp) => {
    expect(resolve(value)).toBe(timestamp)
  })

  test.each(['$NOW(yesterday)', '$NOW(1 fortnight)', '$NOW()', '$NOW(1 day 2 hours)', '$NOW(--1)'])(
    '%s is no distance in time',
    (value) => {
      expect(() => resolve(value)).toThrow('is no distance in time')
    },
  )

  test('a moment that no date can hold is refused', () => {
    expect(() => resolve('$NOW(999999999999 years)')).toThrow('lies too far away')
  })
})

test('who asks', () => {
  expect(resolve('$CURRENT_USER')).toBe('u1')
  expect(resolve('$CURRENT_ROLE')).toBe('r1')
  expect(resolve('$CURRENT_ROLES')).toEqual(['r1', 'r2'])
  expect(resolve(['$CURRENT_ROLES', 'x', '$CURRENT_POLICIES'])).toEqual(['r1', 'r2', 'x', 'p1'])
  expect(resolveVariable('$CURRENT_USER', { ...variables, user: null })).toBeNull()
})

test('everything else is itself', () => {
  for (const value of ['x', '$', '$NOWHERE', '$100', 7, true, null]) expect(resolve(value)).toBe(value)
})
