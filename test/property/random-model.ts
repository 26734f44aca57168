import { fitted } from './dialect.ts'
import type { Model } from './model.ts'
import { createRng } from './rng.ts'
import { fillSchema } from './rows.ts'
import { randomSchema } from './schema.ts'

export function randomModel(seed: number, schema: number, isPlain = false): Model {
  const rng = createRng(seed, schema)
  return fitted(fillSchema(rng, randomSchema(rng, isPlain)))
}
