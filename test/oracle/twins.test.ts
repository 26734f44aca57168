import { expect, it } from 'vitest'
import { compareTwins, printTwins } from './twins.ts'
import { SPELLINGS } from './through.ts'
import { gateSeed } from '../property/seed.ts'

const SECONDS = 30

it.each(SPELLINGS)(
  'answers alike on databases that differ in what the caller cannot see, asked in %s',
  { timeout: (SECONDS + 60) * 1000 },
  async (through) => {
    const seed = gateSeed()
    console.log(`seed ${seed}`)
    const result = await compareTwins({
      seed,
      reads: Number.MAX_SAFE_INTEGER,
      seconds: SECONDS,
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
