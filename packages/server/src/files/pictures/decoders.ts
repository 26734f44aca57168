import { startDecoder, type DecoderProcess } from './decoder-process.ts'

/** Processes that make pictures: started when they are needed, used again, and ended when they are idle. */
export interface Decoders {
  readonly take: () => DecoderProcess
  readonly giveBack: (decoder: DecoderProcess) => void
  readonly isClosed: () => boolean
  readonly close: () => void
}

/** An idle process gives its memory back after this time. */
const IDLE_MILLISECONDS = 30_000

export function createDecoders(program: URL): Decoders {
  const idle: { readonly decoder: DecoderProcess; readonly timer: NodeJS.Timeout }[] = []
  const all = new Set<DecoderProcess>()
  let isClosed = false

  function end(decoder: DecoderProcess): void {
    all.delete(decoder)
    decoder.kill()
  }

  return {
    take: () => {
      for (let one = idle.pop(); one !== undefined; one = idle.pop()) {
        clearTimeout(one.timer)
        if (one.decoder.isUsable()) return one.decoder
        end(one.decoder)
      }
      const decoder = startDecoder(program)
      all.add(decoder)
      return decoder
    },
    giveBack: (decoder) => {
      if (!decoder.isUsable() || isClosed) return end(decoder)
      const timer = setTimeout(() => {
        idle.splice(idle.indexOf(entry), 1)
        end(decoder)
      }, IDLE_MILLISECONDS)
      const entry = { decoder, timer: timer.unref() }
      idle.push(entry)
    },
    isClosed: () => isClosed,
    close: () => {
      isClosed = true
      for (const decoder of all) decoder.kill()
    },
  }
}
