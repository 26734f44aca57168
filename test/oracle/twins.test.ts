import { expect, it } from 'vitest'
import { compareTwins, printTwins } from './twins.ts'
import { SPELLINGS } from './through.ts'
import { GATE_CASES, GATE_SECONDS, gateSeed } from '../property/gate.ts'

it.each(SPELLINGS)(
  'answers alike on databases that differ in what the caller cannot see, asked in %s',
  { timeout: (GATE_SECONDS + 60) * 1000 },
  async (through) => {
    const seed = gateSeed()
    console.log(`seed ${seed}`)
    const result = await compareTwins({
      seed,
      reads: GATE_CASES.twins,
      seconds: GATE_SECONDS,
      workers: 2,
      enough: 1,
      schema: null,
      through,
      say: (line) => console.log(line),
    })
    console.log(printTwins(seed, result))
    expect(result.failures.map(({ request }) => request)).toEqual([])
    expect(result.tally.reads).toBeGreaterThan(0)
  },
)
