import { expect, test } from 'vitest'
import type { Field } from '../model/field.ts'
import { condition, parseFilter } from './tree.ts'
import {
  conditionWords,
  fieldsByName,
  firstOperator,
  operatorsOf,
  operatorWords,
  sentence,
  valueFor,
  variableChoices,
  variableWords,
} from './words.ts'

const column = {
  data_type: '',
  default_value: null,
  max_length: null,
  numeric_precision: null,
  numeric_scale: null,
  is_generated: false,
  is_nullable: true,
  is_unique: false,
  is_indexed: false,
  is_primary_key: false,
  has_auto_increment: false,
  foreign_key_table: null,
  foreign_key_column: null,
  comment: null,
}
const field = (name: string, type: Field['type'], part: Partial<NonNullable<Field['schema']>> = {}): Field => ({
  collection: 'orders',
  field: name,
  type,
  schema: { ...column, ...part },
  meta: null,
})
const status = field('status', 'string', { enum_values: ['open', 'shipped'] })
const orderedAt = field('ordered_at', 'timestamp')
const customer = field('customer_id', 'integer', { foreign_key_table: 'customers' })
const find = fieldsByName([status, orderedAt, customer, field('note', 'text')], 'en-US')

test('a condition is said with the label of its field', () => {
  expect(conditionWords(condition('status', '_eq', 'shipped'), find)).toEqual({
    field: 'Status',
    operator: 'is',
    value: 'shipped',
    isChoice: true,
  })
  expect(conditionWords(condition('note', '_null', true), find)).toMatchObject({
    operator: 'has no value',
    value: null,
  })
  expect(conditionWords(condition('note', '_null', false), find)).toMatchObject({ operator: 'has a value' })
})

test('time has words of its own', () => {
  expect(operatorWords('_gt', 'number')).toBe('is more than')
  expect(conditionWords(condition('ordered_at', '_gte', '$NOW(-7 days)'), find)).toMatchObject({
    operator: 'is on or after',
    value: '7 days ago',
  })
})

test('a related field is named with the relations before it', () => {
  expect(find('customer_id.region.name').label).toBe('Customer · Region · Name')
  expect(find('count(order_items)').label).toBe('Number of order items')
})

test('variables are said in words, anything else is none', () => {
  expect(variableWords('$NOW')).toBe('now')
  expect(variableWords('$NOW(+2 weeks)')).toBe('in 2 weeks')
  expect(variableWords('$NOW(-3)')).toBe('3 days ago')
  expect(variableWords('$CURRENT_USER')).toBe('me')
  expect(variableWords('$100')).toBeNull()
})

test('a field offers the operators of its type', () => {
  expect(operatorsOf(status)).toContain('_icontains')
  expect(operatorsOf(orderedAt)).not.toContain('_contains')
  expect(operatorsOf(field('is_paid', 'boolean'))).toEqual(['_eq', '_neq', '_null', '_nnull'])
  expect(operatorsOf(field('password', 'hash'))).toEqual(['_null', '_nnull', '_empty', '_nempty'])
  expect(firstOperator(orderedAt)).toBe('_gte')
  expect(firstOperator(field('note', 'text'))).toBe('_icontains')
})

test('a value is kept when another operator still takes it', () => {
  expect(valueFor('_in', 'open')).toEqual(['open'])
  expect(valueFor('_eq', ['open', 'paid'])).toBe('open')
  expect(valueFor('_between', 5)).toEqual([5, ''])
  expect(valueFor('_null', 'open')).toBe(true)
  expect(valueFor('_eq', true)).toBe('')
})

test('times and the own user are offered where they fit', () => {
  expect(variableChoices(orderedAt).map(({ value }) => value)).toContain('$NOW(-7 days)')
  expect(variableChoices(field('author', 'uuid', { foreign_key_table: 'service_users' }))).toEqual([
    { value: '$CURRENT_USER', text: 'me' },
  ])
  expect(variableChoices(status)).toEqual([])
})

test('a tree is one sentence', () => {
  const tree = parseFilter({
    _and: [{ status: { _eq: 'open' } }, { _or: [{ note: { _null: true } }, { note: { _eq: '' } }] }],
  })
  expect(sentence(tree, find)).toBe('Status is open and (Note has no value or Note is "")')
})
