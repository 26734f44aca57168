import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { CANARIES } from './database/texts.ts'
import { isRecord } from './reads/interpret/expected.ts'

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

/** The statements that the service has sent since the last call. */
export interface StatementLog {
  /** Null until the service writes its log. */
  read(): readonly string[] | null
}

export function openStatementLog(file: string): StatementLog {
  let position = 0
  let rest = Buffer.alloc(0)
  return {
    read: () => {
      const chunk = readFrom(file, position)
      if (chunk === null) return null
      position += chunk.length
      rest = Buffer.concat([rest, chunk])
      const end = rest.lastIndexOf(0x0a) + 1
      const lines = rest.subarray(0, end).toString('utf8').split('\n')
      rest = rest.subarray(end)
      return lines.filter((line) => line !== '').map(textOf)
    },
  }
}

function readFrom(file: string, position: number): Buffer | null {
  let handle: number
  try {
    handle = openSync(file, 'r')
  } catch {
    return null
  }
  try {
    const buffer = Buffer.alloc(Math.max(0, fstatSync(handle).size - position))
    return buffer.subarray(0, readSync(handle, buffer, 0, buffer.length, position))
  } finally {
    closeSync(handle)
  }
}

function textOf(line: string): string {
  const entry: unknown = JSON.parse(line)
  if (isRecord(entry) && typeof entry['text'] === 'string') return entry['text']
  throw new Error(`not a line of the statement log: ${line.slice(0, 200)}`)
}

/** The first statement that contains part of an operand. */
export function findTaint(texts: readonly string[]): string | null {
  return texts.find((text) => CANARIES.some((canary) => text.includes(canary))) ?? null
}
