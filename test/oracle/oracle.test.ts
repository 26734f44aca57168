import { expect, it } from 'vitest'
import { compareReads, printReads } from './reads.ts'
import { SPELLINGS } from './through.ts'
import { gateSeed } from '../property/seed.ts'

const SECONDS = 30

it.each(SPELLINGS)(
  'answers random reads of random callers like the access definition, asked in %s',
  { timeout: (SECONDS + 60) * 1000 },
  async (through) => {
    const seed = gateSeed()
    console.log(`seed ${seed}`)
    const result = await compareReads({
      seed,
      cases: Number.MAX_SAFE_INTEGER,
      seconds: SECONDS,
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
