import type { Observe } from '../observe.ts'
import { runningCode } from './run.ts'

/** Errors that code of extensions left to nobody are reported. All others end the process, as they would without this. */
export function reportUnhandled(observe: Observe): () => void {
  const onError = (error: unknown) => {
    const code = runningCode()
    if (code !== undefined) return observe({ kind: 'extension-failed', ...code, error })
    stop()
    throw error
  }
  const stop = () => {
    process.off('unhandledRejection', onError)
    process.off('uncaughtException', onError)
  }
  process.on('unhandledRejection', onError)
  process.on('uncaughtException', onError)
  return stop
}
