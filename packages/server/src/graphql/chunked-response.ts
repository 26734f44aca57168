import { setImmediate as turn } from 'node:timers/promises'

/** Milliseconds of work between two turns of others. */
const SLICE = 5
const CHUNK = 64 * 1024

/** Joins pieces to chunks, and lets other requests in between. */
export async function* inTurns(pieces: Iterable<string>): AsyncGenerator<string> {
  let text = ''
  let began = performance.now()
  for (const piece of pieces) {
    text += piece
    if (text.length >= CHUNK) {
      yield text
      text = ''
    }
    if (performance.now() - began > SLICE) {
      await turn()
      began = performance.now()
    }
  }
  if (text !== '') yield text
}
