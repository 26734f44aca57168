import { describe, expect, test } from 'vitest'
import { DatabaseError } from '../sql/driver.ts'
import { loggedError } from './logged-error.ts'

const CANARY = 'canary-4711'
const caused = (message: string) =>
  Object.assign(new Error(message), { sql: CANARY, detail: CANARY, parameters: [CANARY] })

describe('no value reaches the log', () => {
  test.each([
    `invalid input syntax for type integer: "${CANARY}"`,
    `Duplicate entry '${CANARY}' for key 'PRIMARY'`,
    `it's '${CANARY}' that isn't "here"`,
    `Key (name)=(${CANARY}) already exists.`,
    `near '${CANARY}\n and more' at line 1`,
  ])('%s', (message) => {
    const error = new DatabaseError('other', message, '22P02', {
      cause: caused(message),
      details: { table: 'notes', constraint: 'notes_pkey', raised: CANARY, value: CANARY } as object,
    })
    const logged = loggedError(error)
    expect(JSON.stringify(logged)).not.toContain('canary')
    expect(logged).toMatchObject({
      type: 'DatabaseError',
      code: '22P02',
      fault: 'other',
      objects: { table: 'notes', constraint: 'notes_pkey' },
      cause: { type: 'Error' },
    })
  })

  test('of what a trigger raises, or a parser repeats', () => {
    expect(JSON.stringify(loggedError(new DatabaseError('raised', `no ${CANARY} today`)))).not.toContain('canary')
    expect(JSON.stringify(loggedError(new SyntaxError(`Cannot convert ${CANARY} to a BigInt`)))).not.toContain('canary')
    expect(JSON.stringify(loggedError(CANARY))).not.toContain('canary')
  })
})

test('a defect keeps its message and the place where it happened', () => {
  const logged = loggedError(new TypeError("Cannot read properties of undefined (reading 'name')"))
  expect(logged.message).toBe("Cannot read properties of undefined (reading 'name')")
  expect(logged.stack).toMatch(/^TypeError: Cannot read.*\n\s+at .*logged-error\.test\.ts/u)
})

test('an outage keeps its cause', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
  const error = new DatabaseError('unavailable', cause.message, cause.code, { cause })
  expect(loggedError(error)).toMatchObject({ message: 'connect ECONNREFUSED 127.0.0.1:5432', code: 'ECONNREFUSED' })
})
