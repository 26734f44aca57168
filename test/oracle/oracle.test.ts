import { expect, it } from 'vitest'
import { compareReads, printReads } from './reads.ts'
import { SPELLINGS } from './through.ts'
import { GATE_CASES, GATE_SECONDS, gateSeed } from '../property/gate.ts'

it.each(SPELLINGS)(
  'answers random reads of random callers like the access definition, asked in %s',
  { timeout: (GATE_SECONDS + 60) * 1000 },
  async (through) => {
    const seed = gateSeed()
    console.log(`seed ${seed}`)
    const result = await compareReads({
      seed,
      cases: GATE_CASES.oracle,
      seconds: GATE_SECONDS,
      workers: 2,
      enough: 1,
      schema: null,
      case: null,
      isPlain: false,
      through,
      shrinks: true,
      say: (line) => console.log(line),
    })
    console.log(printReads(seed, result))
    expect(result.failures.map(({ reason }) => reason)).toEqual([])
    expect(result.tally.cases).toBeGreaterThan(0)
  },
)
