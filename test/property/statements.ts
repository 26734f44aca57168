import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { isRecord } from './expected.ts'
import { CANARIES } from './texts.ts'

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
