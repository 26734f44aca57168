import { expect, it } from 'vitest'
import { compareWrites, printWrites } from './writes.ts'
import { GATE_CASES, GATE_SECONDS, gateSeed } from '../property/gate.ts'

it('writes for random callers what the access definition allows', { timeout: (GATE_SECONDS + 60) * 1000 }, async () => {
  const seed = gateSeed()
  console.log(`seed ${seed}`)
  const result = await compareWrites({
    seed,
    sequences: GATE_CASES.writes,
    seconds: GATE_SECONDS,
    workers: 2,
    enough: 1,
    schema: null,
    sequence: null,
    shrinks: true,
    say: (line) => console.log(line),
  })
  console.log(printWrites(seed, result))
  expect(result.failures.map(({ reason }) => reason)).toEqual([])
  expect(result.tally.sequences).toBeGreaterThan(0)
})
