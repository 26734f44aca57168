import { expect, it } from 'vitest'
import { runPairs } from './pairs.ts'
import { gateSeed } from '../property/gate.ts'

it('makes any structure of any other, and nothing more', { timeout: 300_000 }, async () => {
  const seed = gateSeed()
  console.log(`seed ${seed}`)
  const { pairs, changes, failures } = await runPairs({ seed, from: 0, pairs: 50, say: (line) => console.log(line) })
  expect(failures).toEqual([])
  expect(pairs).toBe(50)
  expect(changes).toBeGreaterThan(50)
})
