import { describe, expect, test } from 'vitest'
import type { Placeholder } from '../sql/bind.ts'
import { DatabaseError } from '../sql/driver.ts'
import { faultToError, raisedText, readFault } from './faults.ts'

const sent = (field?: string): Placeholder => ({
  isPlaceholder: true,
  parameter: 0,
  encode: String,
  ...(field === undefined ? {} : { field }),
})

const invalid = (bind?: number) =>
  new DatabaseError('invalid-value', 'secret text', '22P02', bind === undefined ? {} : { details: { bind } })

const read = { isByKey: false, binds: [], showsRaised: false }

describe('an invalid value', () => {
  test('in a key is the key of an item that does not exist', () => {
    expect(faultToError(invalid(), true).code).toBe('FORBIDDEN')
    expect(readFault(invalid(), { ...read, isByKey: true }).code).toBe('FORBIDDEN')
  })

  test('that the caller sent is told with its field', () => {
    const { code, details } = readFault(invalid(1), { ...read, binds: [null, sent('views')] })
    expect([code, details['field']]).toEqual(['INVALID_QUERY', 'views'])
  })

  test('that the caller did not send is a computation of the database', () => {
    expect(readFault(invalid(), read).code).toBe('UNPROCESSABLE_CONTENT')
    expect(readFault(invalid(), { ...read, binds: [sent()] }).code).toBe('INVALID_QUERY')
  })
})

test('the text of the database is not told', () => {
  for (const fault of ['invalid-value', 'other', 'permission', 'unavailable'] as const) {
    const error = faultToError(new DatabaseError(fault, 'secret text', '1'), false)
    expect(JSON.stringify(error.toWire())).not.toContain('secret')
  }
})

test('a raised text is told to callers who may see it, up to a length', () => {
  const raised = new DatabaseError('raised', 'no', 'P0001', { details: { raised: 'x'.repeat(2000) } })
  expect(raisedText(raised)).toHaveLength(1000)
  expect(readFault(raised, { ...read, showsRaised: true }).message).toContain('xxx')
  expect(readFault(raised, read).message).not.toContain('xxx')
})

test('an answer that is too large names the limit', () => {
  const error = new DatabaseError('too-large', 'x', '', { details: { mostBytes: 7 } })
  expect(faultToError(error, false).message).toContain('larger than 7 bytes')
})
