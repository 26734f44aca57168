import { createHash } from 'node:crypto'
import type { PieceState, Storage } from '../storage/storage.ts'
import { refused } from './refusals.ts'
import type { Checksum } from './upload-metadata.ts'

/** So many bytes at most are lost when the process is killed. */
const BETWEEN_CHECKPOINTS = 8 * 1024 ** 2

export interface Piece {
  readonly content: AsyncIterable<Buffer>
  /** null: the client did not tell it. */
  readonly length: number | null
  readonly checksum: Checksum | null
}

/** The client is gone. What it has sent counts. */
class Interrupted extends Error {}

async function* arriving(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* content
  } catch (error) {
    throw new Interrupted('the piece ended early', { cause: error })
  }
}

/**
 * Writes a piece and answers the state that contains it. `keep` is told each state once its bytes are safe. A piece with a
 * checksum counts as a whole or not at all, so it has no states in between.
 */
export async function receivePiece(
  storage: Storage,
  before: PieceState,
  size: number,
  { content, length, checksum }: Piece,
  keep: (state: PieceState) => Promise<void>,
): Promise<PieceState> {
  if (length !== null && before.size + length > size) throw refused('longer')
  const hash = checksum === null ? null : createHash(checksum.algorithm)
  const writer = await storage.pieces.resume(before)
  const settle = async () => {
    const state = await writer.settle()
    await keep(state)
    return state
  }
  let arrived = before.size
  let unsettled = 0
  try {
    for await (const chunk of arriving(content)) {
      arrived += chunk.length
      unsettled += chunk.length
      if (arrived > size) throw refused('longer')
      hash?.update(chunk)
      await writer.write(chunk)
      if (hash !== null || unsettled < BETWEEN_CHECKPOINTS) continue
      await settle()
      unsettled = 0
    }
    if (checksum !== null && hash?.digest().equals(checksum.digest) !== true) throw refused('checksum')
    return await settle()
  } catch (error) {
    if (error instanceof Interrupted && hash === null) await settle()
    throw error
  } finally {
    await writer.close()
  }
}
