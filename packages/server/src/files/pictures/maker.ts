import { availableParallelism } from 'node:os'
import type { Readable } from 'node:stream'
import type { Observe } from '../../observe.ts'
import { DecoderGone, decoderProgram } from './decoder-process.ts'
import { createDecoders } from './decoders.ts'
import type { Order } from './make.ts'
import { createPlaces } from './places.ts'
import { Refusal } from './refusal.ts'

/** There is no capacity for a picture now, or it takes too long. */
export class Unavailable extends Error {}

export interface Maker {
  /** `open` gives the content of the original once it is this picture's turn. */
  readonly make: (order: Order, open: () => Promise<Readable>, length: number) => Promise<Buffer>
  readonly close: () => void
}

export interface MakerOptions {
  /** Pictures that are made or about to be made; as many again may wait. */
  readonly atOnce: number
  /** For one picture, in milliseconds; waiting may take as long again. */
  readonly timeout: number
  readonly observe: Observe
  readonly program?: URL
  readonly processes?: number
}

/**
 * Makes pictures in processes of their own: a decoder that crashes or hangs on a hostile file does not harm the service.
 * There are no more processes than processors, however many pictures are wished.
 */
export function createMaker({ atOnce, timeout, observe, program = decoderProgram, ...options }: MakerOptions): Maker {
  const processes = options.processes ?? Math.min(atOnce, availableParallelism())
  const decoders = createDecoders(program)
  const places = createPlaces(processes, 2 * atOnce - processes, timeout, () => {
    observe({ kind: 'picture-refused' })
    return new Unavailable('too many pictures are being made')
  })

  async function run(order: Order, content: Readable, length: number): Promise<Buffer> {
    const decoder = decoders.take()
    const signal = AbortSignal.timeout(timeout)
    const began = performance.now()
    try {
      const made = await decoder.make(order, content, length, signal)
      observe({ kind: 'picture-made', milliseconds: performance.now() - began })
      return made
    } catch (error) {
      if (!(error instanceof DecoderGone)) throw error
      if (decoders.isClosed()) throw new Unavailable('the service is stopping')
      observe({ kind: signal.aborted ? 'picture-late' : 'picture-crashed' })
      if (signal.aborted) throw new Unavailable('the picture takes too long')
      throw new Refusal('unreadable', '')
    } finally {
      content.destroy()
      decoders.giveBack(decoder)
    }
  }

  return {
    make: async (order, open, length) => {
      await places.take()
      try {
        return await run(order, await open(), length)
      } finally {
        places.leave()
      }
    },
    close: decoders.close,
  }
}
