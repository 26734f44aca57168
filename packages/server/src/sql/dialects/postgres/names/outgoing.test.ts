import { expect, test } from 'vitest'
import { serverThat } from '../capabilities.ts'
import { createOutgoing } from './outgoing.ts'

test('statements reach PostgreSQL with the schema of every name', () => {
  const outgoing = createOutgoing(serverThat())
  expect(outgoing('select lower(a) from t')).toBe('select pg_catalog.lower(a) from t')
  expect(outgoing('select a = b')).toBe('select a operator(pg_catalog.=) b')
  expect(outgoing('begin')).toBe('begin')
})

test('texts stay right when more come than are kept', () => {
  const outgoing = createOutgoing(serverThat())
  const textOf = (number: number) => `select '${'x'.repeat(1024 * 1024)}', f(${number})`
  for (const number of [1, 2, 3, 1]) expect(outgoing(textOf(number))).toContain(`pg_catalog.f(${number})`)
})

test('an engine that cannot read such names gets the short form', () => {
  expect(createOutgoing(serverThat({ qualifiedNames: false }))('select lower(a)')).toBe('select lower(a)')
})
