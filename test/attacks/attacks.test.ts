import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { attacksOn } from './attacks.ts'
import { createStage, type Stage } from './stage.ts'

describe.each(testDialects)('attacks on %s', (dialect) => {
  let stage: Stage

  beforeAll(async () => {
    stage = await createStage(dialect, { patience: 5000 })
  })

  afterAll(() => stage.end())

  test.each(attacksOn(dialect).map((attack) => [attack.id, attack.what, attack] as const))(
    '%s %s: refused',
    async (_, __, { attempt }) => {
      expect(await attempt(stage)).toEqual([])
    },
    // Some attacks start services, and the machine may be busy.
    240_000,
  )
})
