import { describe, expect, it } from 'vitest'
import { MUTANTS } from './mutant-list.ts'
import { mutate } from './mutants.ts'

describe('the mistakes that the oracle is tried on', () => {
  it.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))('still fits the source: %s', (_name, mutant) => {
    for (const edit of mutant.edits) expect(mutate(edit, mutant.name)).toContain(edit.replace)
  })
})
