import { procedures, ServiceError, type ProcedureName, type ProcedureRow } from '@tain/contract'
import { procedureSchemas, type ProcedureSchema } from '@tain/contract/schemas'
import * as fc from 'fast-check'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { inputOf } from './read-input.ts'

/** Without those that check a whole body themselves. */
const schemas = (Object.entries(procedureSchemas) as [ProcedureName, ProcedureSchema][]).filter(
  ([name]) => !Object.values((procedures[name] as ProcedureRow).input).includes('whole body'),
)

const words = ['a@b.cc', 'json', '11111111-1111-4111-8111-111111111111', '', ' ', 'x'.repeat(5000), '\u0000']
const value = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, ...words, ['a@b.cc'], {}),
  fc.jsonValue(),
  fc.record({ email: fc.constant('a@b.cc'), password: fc.constantFrom<unknown>('x', 5, null) }),
)

/** The input, or null if it is refused. */
function readOrNull(name: ProcedureName, payload: unknown): unknown {
  try {
    return inputOf(name, payload)
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
}

test.each(schemas)('an input of %s that is accepted fulfils its schema', (name, { input }) => {
  const members = Object.fromEntries(Object.keys(input.properties).map((member) => [member, value]))
  fc.assert(
    fc.property(fc.record(members, { requiredKeys: [] }), (payload) => {
      const read = readOrNull(name, payload)
      expect(read === null ? [] : [...Value.Errors(input, read)]).toEqual([])
    }),
    { numRuns: 300, seed: 1 },
  )
})
