import { expect, test } from 'vitest'
import { toDatabaseError } from './errors.ts'

test('a duplicate is told without its value, which may be the hash of a token', () => {
  const message = "Duplicate entry 'it's 5feceb66' for key 'service_users_token'"
  const reported = Object.assign(new Error(message), { errno: 1062, sql: "insert … values ('5feceb66')" })
  const error = toDatabaseError(reported, 'insert into `app`.`service_users` …')
  expect([error.fault, error.message]).toEqual(['unique', "Duplicate entry for key 'service_users_token'"])
  expect(error.details).toMatchObject({ table: 'service_users' })
  expect(error.cause).toBeUndefined()
})

test('what is too much for a temporary table is the fault of the query, though the engine gives its own number', () => {
  const message = "Aria table '#sql-temptable-1' has too many columns and/or indexes and/or unique constraints."
  expect(toDatabaseError(Object.assign(new Error(message), { errno: 140 })).fault).toBe('too-complex')
})
