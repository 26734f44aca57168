import { expect, it } from 'vitest'
import { chosenDialect } from '../property/dialect.ts'
import { GATE_SECONDS, gateSeed } from '../property/gate.ts'
import { runPairs } from './pairs.ts'

const PAIRS = 50
/** Schema changes are slower on the other databases. */
const SECONDS = chosenDialect() === 'postgres' ? Infinity : GATE_SECONDS

it('makes any structure of any other, and nothing more', { timeout: 300_000 }, async () => {
  const seed = gateSeed()
  console.log(`seed ${seed}`)
  const say = (line: string) => console.log(line)
  const { pairs, changes, failures } = await runPairs({ seed, from: 0, pairs: PAIRS, seconds: SECONDS, say })
  console.log(`${pairs} pairs, ${changes} changes`)
  expect(failures).toEqual([])
  expect(pairs).toBeGreaterThanOrEqual(SECONDS === Infinity ? PAIRS : 1)
  expect(changes).toBeGreaterThan(pairs)
})
