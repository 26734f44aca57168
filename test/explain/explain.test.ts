import { expect, it } from 'vitest'
import { GATE_SECONDS, gateSeed } from '../property/gate.ts'
import { compareExplained } from './compare.ts'

it('explains random requests as they are answered', { timeout: (GATE_SECONDS + 60) * 1000 }, async () => {
  const seed = gateSeed()
  console.log(`seed ${seed}`)
  const say = (line: string) => console.log(line)
  const { pairs, allowed, disagreements } = await compareExplained({ seed, pairs: 400, seconds: GATE_SECONDS, say })
  console.log(`${pairs} pairs, ${allowed} allowed`)
  expect(disagreements).toEqual([])
  expect(allowed).toBeGreaterThan(0)
  expect(allowed).toBeLessThan(pairs)
})
