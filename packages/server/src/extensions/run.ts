import { AsyncLocalStorage } from 'node:async_hooks'
import { ServiceError, ServiceErrors } from '@tain/contract'
import type { Observe } from '../observe.ts'

/** Code of an extension. */
export interface Code {
  readonly extension: string
  /** What of it runs, in the words of the log. */
  readonly hook: string
}

const storage = new AsyncLocalStorage<Code>()

/** The code of an extension that the running function was called from; undefined: none. */
export const runningCode = (): Code | undefined => storage.getStore()

export class Overdue extends Error {
  constructor(milliseconds: number) {
    super(`took longer than ${milliseconds} ms`)
    this.name = 'Overdue'
  }
}

/** Runs code of an extension. After the time it is given up; what it does then has no effect here. */
export async function runCode<T>(
  code: Code,
  timeout: number,
  work: (signal: AbortSignal) => T | Promise<T>,
  stop?: AbortSignal,
): Promise<T> {
  const over = new AbortController()
  const signal = stop === undefined ? over.signal : AbortSignal.any([over.signal, stop])
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Overdue(timeout)), timeout)
  })
  try {
    return await Promise.race([storage.run(code, async () => work(signal)), late])
  } finally {
    clearTimeout(timer)
    over.abort()
  }
}

/** Whether an error was meant for the caller. */
export const isTold = (error: unknown): boolean => error instanceof ServiceError || error instanceof ServiceErrors

/** What a caller hears of an extension that failed: nothing but that. */
export function failed(code: Code, error: unknown, observe: Observe): ServiceError {
  observe({ kind: 'extension-failed', ...code, error })
  return error instanceof Overdue
    ? new ServiceError('SERVICE_UNAVAILABLE', 'An extension of the service took too long. Nothing was written.')
    : new ServiceError('INTERNAL_SERVER_ERROR')
}
