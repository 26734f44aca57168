import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { procedures, type ProcedureRow } from '../procedures/index.ts'
import { procedureSchemas, type ProcedureSchema } from './index.ts'

const rows: readonly (readonly [string, ProcedureRow])[] = Object.entries(procedures)
const schemas: readonly (readonly [string, ProcedureSchema])[] = Object.entries(procedureSchemas)

test.each(rows)('%s has one address per protocol, and its members in the path', (_, { input, rest }) => {
  expect(rest.length).toBeGreaterThan(0)
  const named = rest.flatMap(([, path]) => [...path.matchAll(/:(\w+)/gu)].map(([, name]) => name))
  const inPath = Object.keys(input).filter((name) => input[name]?.endsWith('path') === true)
  expect(new Set(named)).toEqual(new Set(inPath))
})

test('documents are received from administrators only', () => {
  const others = rows.filter(([, { hasDocument, callers }]) => hasDocument === true && callers !== 'administrators')
  expect(others).toEqual([])
})

test('addresses and root fields are unique', () => {
  const addresses = rows.flatMap(([, { rest }]) => rest.map(([method, path]) => `${method} ${path}`))
  const fields = rows.flatMap(([, { graphql }]) => (graphql === null ? [] : [graphql.name]))
  expect(new Set(addresses).size).toBe(addresses.length)
  expect(new Set(fields).size).toBe(fields.length)
})

test.each(schemas)('the schemas of %s are plain JSON', (_, { input, output }) => {
  expect(JSON.parse(JSON.stringify(input))).toEqual(input)
  expect(Value.Check(input, null)).toBe(false)
  expect(JSON.parse(JSON.stringify(output))).toEqual(output)
})
