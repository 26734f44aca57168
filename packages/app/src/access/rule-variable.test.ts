import { expect, test } from 'vitest'
import { ruleVariable } from './rule-variable.ts'

test.each([
  ['$CURRENT_USER', 'the user'],
  ['$CURRENT_USER.region.name', 'the user’s region · name'],
  ['$CURRENT_ROLES', 'the user’s roles'],
  ['$NOW(-7 days)', '7 days ago'],
  ['$5.00', null],
  ['paid', null],
  [5, null],
])('%s is said as %s', (value, words) => {
  expect(ruleVariable(value)).toBe(words)
})
