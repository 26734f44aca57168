import { expect, test } from 'vitest'
import { DatabaseError } from '../sql/driver.ts'
import { unlessConflict } from './start.ts'

test('a start that loses against that of another replica is repeated, and one that fails otherwise is not', async () => {
  let attempts = 0
  const prepare = async () => {
    attempts += 1
    if (attempts < 3) throw new DatabaseError('conflict', 'Deadlock found when trying to get lock', '1213')
    return 'prepared'
  }
  expect(await unlessConflict(prepare)).toBe('prepared')
  expect(attempts).toBe(3)

  const refused = new DatabaseError('permission', 'may not create tables')
  await expect(unlessConflict(() => Promise.reject(refused))).rejects.toBe(refused)
})
