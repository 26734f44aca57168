import { expect, test } from 'vitest'
import { dialects } from '../property/dialect.ts'
import { runSession } from './random-session.ts'

test.each(dialects.map((dialect, schema) => [dialect, schema] as const))(
  'responses of a random database on %s have the types that the SDK infers',
  { timeout: 120_000 },
  async (_, schema) => {
    const { rows, problems } = await runSession(7, schema, 25)
    expect(problems).toEqual([])
    expect(rows).toBeGreaterThan(0)
  },
)
