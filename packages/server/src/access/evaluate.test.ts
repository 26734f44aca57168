import { expect, test } from 'vitest'
import { evaluate } from './evaluate.ts'

test('a rule that is met says nothing', () => {
  expect(evaluate({ age: { _gte: 18, _lt: 100 } }, { age: '18' })).toEqual([])
})

test('each operator that is not met is told with its field and operand', () => {
  expect(evaluate({ age: { _gte: 18 }, name: { _regex: '^[A-Z]' } }, { age: 17, name: 'ada' })).toEqual([
    { field: 'age', operator: '_gte', operand: 18 },
    { field: 'name', operator: '_regex', operand: '^[A-Z]' },
  ])
})

test('a field that was not sent is not asked', () => {
  expect(evaluate({ age: { _gt: 0 } }, { name: 'Ada' })).toEqual([])
})

test('null meets every rule but those about null', () => {
  expect(evaluate({ age: { _gt: 0 } }, { age: null })).toEqual([])
  expect(evaluate({ age: { _nnull: true } }, { age: null })).toHaveLength(1)
})

test('one branch of _or is enough, every part of _and is needed', () => {
  const rule = { _or: [{ age: { _lt: 10 } }, { age: { _gt: 90 } }] }
  expect(evaluate(rule, { age: 95 })).toEqual([])
  expect(evaluate(rule, { age: 50 })).toHaveLength(1)
  expect(evaluate({ _and: [{ age: { _gt: 10 } }, { age: { _lt: 20 } }] }, { age: 25 })).toHaveLength(1)
})

test('a rule that cannot be read refuses', () => {
  expect(evaluate({ age: { _almost: 5 } }, { age: 5 })).toHaveLength(1)
})
