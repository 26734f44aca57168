import { expect, test } from 'vitest'
import { dialects } from '../property/dialect.ts'
import { gateSeed } from '../property/gate.ts'
import { runSession } from './random-session.ts'

const REQUESTS = 20

test.each(dialects.map((dialect, schema) => [dialect, schema] as const))(
  'the document of a random database on %s is valid and says what the service does',
  async (_, schema) => {
    const { problems, documents, compared, bodies } = await runSession(gateSeed(), schema, REQUESTS)
    expect(problems).toEqual([])
    expect(documents).toBe(6)
    expect(compared).toBeGreaterThan(REQUESTS)
    expect(bodies).toBeGreaterThan(0)
  },
)
