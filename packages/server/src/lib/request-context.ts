import { AsyncLocalStorage } from 'node:async_hooks'
import { LAST_POSITION, laterOf, type LogPosition } from './log-position.ts'

/** The stages of a request that are measured. */
export const stages = ['authenticate', 'plan', 'query', 'commit'] as const

export type Stage = (typeof stages)[number]

/** Called when a stage begins, with the text of its statement if it has one. The result is called at its end. */
export type StageWatch = (stage: Stage, text: string | null) => (error?: unknown) => void

/** How new the rows of a request have to be. */
export interface Freshness {
  /** The last write of its caller that is known; null: none is. */
  position: LogPosition | null
  /** Whether the request itself has written. */
  hasWritten: boolean
}

/** The request that the running code works for. */
export interface RequestContext {
  readonly requestId: string
  /** null: stages are not measured. */
  readonly watch: StageWatch | null
  /** The identity of its trace for other programs; null: it has none. */
  readonly traceparent: string | null
  /** null: all rows come from the primary. */
  readonly freshness: Freshness | null
}

const storage = new AsyncLocalStorage<RequestContext>()

export const inRequest = (context: RequestContext, work: () => void): void => storage.run(context, work)

/** undefined outside of requests. */
export const currentRequest = (): RequestContext | undefined => storage.getStore()

/** Reads of the same request have to show what was committed. null: the position is not known. */
export function noteCommit(position: LogPosition | null): void {
  const freshness = storage.getStore()?.freshness ?? null
  if (freshness === null) return
  freshness.position = laterOf(freshness.position, position ?? LAST_POSITION)
  freshness.hasWritten = true
}

const unwatched = () => undefined

/** Begins a stage of the current request. */
export const beginStage = (stage: Stage, text: string | null): ((error?: unknown) => void) =>
  storage.getStore()?.watch?.(stage, text) ?? unwatched

/** Measures work of one turn. */
export function inStage<T>(stage: Stage, work: () => T): T {
  const watch = storage.getStore()?.watch ?? null
  if (watch === null) return work()
  const end = watch(stage, null)
  try {
    const result = work()
    end()
    return result
  } catch (error) {
    end(error)
    throw error
  }
}

/** Measures work of several turns. */
export function inAsyncStage<T>(stage: Stage, work: () => T | Promise<T>): T | Promise<T> {
  const watch = storage.getStore()?.watch ?? null
  return watch === null ? work() : ended(watch(stage, null), work)
}

async function ended<T>(end: (error?: unknown) => void, work: () => T | Promise<T>): Promise<T> {
  try {
    const result = await work()
    end()
    return result
  } catch (error) {
    end(error)
    throw error
  }
}
