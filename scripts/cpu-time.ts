import { readFileSync } from 'node:fs'

/** Clock ticks of Linux in a second, as /proc counts them. */
const TICKS = 100

/**
 * CPU seconds of the children of this process that have ended, and of theirs that they waited for. Node has no interface
 * to these figures; they are zero where there is no /proc.
 */
export function childSeconds(): number {
  try {
    // The name of the program, in parentheses, may contain spaces.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[13]) + Number(fields[14])) / TICKS
  } catch {
    return 0
  }
}
