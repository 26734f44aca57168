import { expect, test } from 'vitest'
import { variableProblem } from './unknown-names.ts'

test.each([
  [
    { permissions: { label: { _eq: '$CURRENT_USR' } } },
    '"permissions" names the variable "$CURRENT_USR"',
    '$CURRENT_USER',
  ],
  [
    { permissions: { _or: [{ a: { _in: ['x', '$CURENT_ROLE'] } }] } },
    '"permissions" names the variable',
    '$CURRENT_ROLE',
  ],
  [{ permissions: null, validation: { a: { _lt: '$NWO' } } }, '"validation" names the variable "$NWO"', '$NOW'],
  [{ presets: { owner: '$CURRENT_USR.email' } }, '"presets" names the variable "$CURRENT_USR"', '$CURRENT_USER'],
])('%j names the nearest variable', (parts, problem, meant) => {
  expect(variableProblem(parts)).toContain(problem)
  expect(variableProblem(parts)).toContain(`Did you mean "${meant}"?`)
})

test.each([
  '$CURRENT_USER',
  '$CURRENT_USER.email',
  '$CURRENT_ROLE',
  '$CURRENT_ROLES',
  '$CURRENT_POLICIES',
  '$NOW',
  '$NOW(-1 day)',
  '$100',
  '$5.99',
  'US$',
  '$Abc',
  '$',
  'the $CURRENT_USR',
])('%s is taken', (value) => {
  expect(variableProblem({ permissions: { a: { _eq: value } } })).toBe(null)
})
