import { setImmediate as turn } from 'node:timers/promises'

/** Milliseconds of work before the event loop gets a turn. */
const SLICE = 5
const CHUNK = 64 * 1024

/** Joins pieces into chunks and yields to other requests in between. */
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
