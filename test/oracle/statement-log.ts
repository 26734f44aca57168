import { setTimeout as sleep } from 'node:timers/promises'
import { findTaint, openStatementLog } from '../property/statements.ts'

/** The log is written a moment after the response. */
const PAUSE = 50

/** The statements that a service sends to its database. */
export interface Statements {
  /** Remembers all statements sent so far as known. */
  settle(): Promise<void>
  /** The statements since the last call that are not known. */
  fresh(): readonly string[]
  /** Runs the work and returns the statements that it caused. */
  during(work: () => Promise<unknown>): Promise<readonly string[]>
  learn(texts: readonly string[]): void
  isKnown(text: string): boolean
  /** The first statement that contains part of a stored value or of an operand. */
  taint(): string | null
  /** Whether the service writes the log at all. */
  isLogged(): boolean
  count(): number
}

export function watchStatements(file: string): Statements {
  const log = openStatementLog(file)
  const known = new Set<string>()
  let taint: string | null = null
  let isLogged = false
  const collect = (): readonly string[] => {
    const texts = log.read()
    isLogged ||= texts !== null
    taint ??= findTaint(texts ?? [])
    return texts ?? []
  }
  const learn = (texts: readonly string[]): void => {
    for (const text of texts) known.add(text)
  }
  return {
    settle: async () => {
      await sleep(PAUSE)
      learn(collect())
    },
    fresh: () => collect().filter((text) => !known.has(text)),
    during: async (work) => {
      await sleep(PAUSE)
      collect()
      await work()
      await sleep(PAUSE)
      return collect()
    },
    learn,
    isKnown: (text) => known.has(text),
    taint: () => taint,
    isLogged: () => isLogged,
    count: () => known.size,
  }
}
