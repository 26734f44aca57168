import { expect, test } from 'vitest'
import { operators, type Operator } from '@tain/contract'
import { evaluate, isRuleOperator, lenient } from './evaluate.ts'

test('a rule that is met says nothing', () => {
  expect(evaluate({ age: { _gte: 18, _lt: 100 } }, { age: '18' })).toEqual([])
})

test('each operator that is not met is told with its field and operand', () => {
  expect(evaluate({ age: { _gte: 18 }, name: { _regex: '^[A-Z]' } }, { age: 17, name: 'ada' })).toEqual([
    { field: 'age', operator: '_gte', operand: 18 },
    { field: 'name', operator: '_regex', operand: '^[A-Z]' },
  ])
})

test('a part that names nothing of what is written is left out, or not met', () => {
  const rule = { age: { _gt: 0 }, _and: [{ name: { _nnull: true } }] }
  expect(evaluate(rule, { name: 'Ada' })).toEqual([])
  expect(evaluate(rule, { name: 'Ada' }, { ...lenient, asks: 'everything' })).toEqual([
    { field: 'age', operator: '_required', operand: undefined },
  ])
})

test('a branch on what is not written is not met', () => {
  const rule = { _or: [{ status: { _eq: 'draft' } }, { age: { _gt: 0 } }] }
  expect(evaluate(rule, { status: 'published' })).toEqual([{ field: 'status', operator: '_eq', operand: 'draft' }])
  expect(evaluate(rule, { status: 'draft' })).toEqual([])
})

test('a part that names a value still to come waits for it', () => {
  const reading = { ...lenient, asks: 'everything', pending: new Set(['age']) } as const
  expect(evaluate({ age: { _gt: 0 }, name: { _eq: 'Ada' } }, { name: 'Ada' }, reading)).toEqual([])
})

test('what is not to be read is not told', () => {
  const reading = { ...lenient, isLiteral: () => false }
  expect(evaluate({ age: { _eq: '$SECRET' } }, { age: 1 }, reading)).toEqual([
    { field: 'age', operator: '_eq', operand: undefined },
  ])
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
  const reading = { ...lenient, isField: (name: string) => name === 'age' }
  for (const rule of ['text', 5, [], { _nor: [] }, { agee: 5 }, { _or: ['x'] }, { _or: 'x' }, { _and: 5 }])
    expect([rule, evaluate(rule, { age: 5 }, reading).length]).toEqual([rule, 1])
})

test('an _or without branches accepts nothing; an empty rule accepts everything', () => {
  for (const rule of [{ _or: [] }, { _and: [{ _or: [] }] }, { _or: [{ _or: [] }] }])
    for (const values of [{}, { age: 5 }]) expect([rule, evaluate(rule, values).length]).toEqual([rule, 1])
  for (const rule of [{}, null, { _and: [] }, { _or: [{}] }, { _or: [{ age: { _gt: 9 } }, {}] }])
    expect([rule, evaluate(rule, { age: 5 })]).toEqual([rule, []])
})

test('a field without an operator refuses, even if it is not written', () => {
  const reading = { ...lenient, isField: (name: string) => name === 'age' }
  for (const rule of [{ age: {} }, { _and: [{ age: {} }] }, { _or: [{ age: {} }] }])
    for (const values of [{}, { age: 5 }]) expect([rule, evaluate(rule, values, reading).length]).toEqual([rule, 1])
})

test('a text operator and its negation disagree about every text, in any case', () => {
  const isMet = (operator: Operator, value: string, operand: string) =>
    evaluate({ name: { [operator]: operand } }, { name: value }).length === 0
  for (const [operator, negation] of [
    ['_contains', '_ncontains'],
    ['_starts_with', '_nstarts_with'],
    ['_istarts_with', '_nistarts_with'],
    ['_ends_with', '_nends_with'],
    ['_iends_with', '_niends_with'],
  ] as const)
    for (const value of ['Ada', 'ada', 'ADA', 'Lovelace', 'a', ''])
      for (const operand of ['A', 'a', 'Ad', 'DA', ''])
        expect([operator, value, operand, isMet(negation, value, operand)]).toEqual([
          operator,
          value,
          operand,
          !isMet(operator, value, operand),
        ])
  expect(isMet('_nistarts_with', 'Ada', 'AD')).toBe(false)
  expect(isMet('_nistarts_with', 'Ada', 'DA')).toBe(true)
  expect(isMet('_niends_with', 'Ada', 'DA')).toBe(false)
  expect(isMet('_niends_with', 'Ada', 'AD')).toBe(true)
})

test('every operator on plain values can be used in a rule', () => {
  const missing = Object.entries(operators).flatMap(([name, { operand }]) =>
    isRuleOperator(name) || operand === 'json' || operand === 'geometry' ? [] : [name],
  )
  expect(missing).toEqual([])
  expect(['_json', '_intersects', '__proto__', 'toString', ''].filter(isRuleOperator)).toEqual([])
  expect(isRuleOperator('_regex')).toBe(true)
})

test('null passes negative operators and fails positive ones in strict mode', () => {
  const strict = { ...lenient, isStrict: true }
  for (const operator of ['_nin', '_nbetween', '_ncontains', '_nistarts_with', '_niends_with'])
    expect([operator, evaluate({ a: { [operator]: 'x,y' } }, { a: null }, strict)]).toEqual([operator, []])
  for (const operator of ['_in', '_lt', '_between', '_contains', '_istarts_with', '_regex'])
    expect([operator, evaluate({ a: { [operator]: 'x,y' } }, { a: null }, strict).length]).toEqual([operator, 1])
})

test('a flag is false in the same forms as in filters', () => {
  for (const operand of [false, 'false', 0, '0']) {
    expect([operand, evaluate({ a: { _null: operand } }, { a: 1 })]).toEqual([operand, []])
    expect([operand, evaluate({ a: { _null: operand } }, { a: null }).length]).toEqual([operand, 1])
  }
  for (const operand of [true, 'true', 1, '1', ''])
    expect([operand, evaluate({ a: { _null: operand } }, { a: null })]).toEqual([operand, []])
})

test('whole numbers beyond 2^53 are compared with all their digits', () => {
  const rule = { id: { _eq: '9007199254740993' } }
  expect(evaluate(rule, { id: '9007199254740993' })).toEqual([])
  expect(evaluate(rule, { id: '9007199254740992' })).toHaveLength(1)
  expect(evaluate({ id: { _gt: 5 } }, { id: '9007199254740993' })).toEqual([])
  expect(evaluate({ id: { _lt: '-9007199254740992' } }, { id: '-9007199254740993' })).toEqual([])
})
