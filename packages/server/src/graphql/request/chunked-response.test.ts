import { describe, expect, test } from 'vitest'
import { inTurns } from './chunked-response.ts'

async function chunksOf(pieces: Iterable<string>): Promise<string[]> {
  const chunks: string[] = []
  for await (const chunk of inTurns(pieces)) chunks.push(chunk)
  return chunks
}

describe('a response in chunks', () => {
  test('joins short pieces and loses none', async () => {
    expect(await chunksOf(['a', 'b', '', 'c'])).toEqual(['abc'])
    expect(await chunksOf([])).toEqual([])
  })

  test('sends a chunk as soon as 64 KB are collected', async () => {
    const pieces = Array.from({ length: 5 }, () => 'x'.repeat(40_000))
    expect((await chunksOf(pieces)).map(({ length }) => length)).toEqual([80_000, 80_000, 40_000])
  })

  test('gives other work a turn while it is computed', async () => {
    let turns = 0
    const counting = setInterval(() => (turns += 1), 0)
    function* slow() {
      for (let piece = 0; piece < 8; piece += 1) {
        const until = performance.now() + 6
        while (performance.now() < until);
        yield 'x'
      }
    }
    await chunksOf(slow())
    clearInterval(counting)
    expect(turns).toBeGreaterThan(0)
  })
})
