// CPU time of processes that have ended, with their own children. Node has no interface to these figures of the system.
import { readFileSync } from 'node:fs'

/** Clock ticks of Linux in a second, as /proc counts them. */
const TICKS = 100

/** CPU seconds of the children of this process that have ended, and of theirs that they waited for. Zero without /proc. */
export function childSeconds(): number {
  try {
    // The name of the program, in parentheses, may contain spaces.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[13]) + Number(fields[14])) / TICKS
  } catch {
    return 0
  }
}

/** CPU seconds of this process and of its children that have ended. */
export function spentSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + childSeconds()
}

/** The seconds in what `times` of bash prints: a line for the shell, and one for its children. */
export const secondsIn = (times: string): number =>
  [...times.matchAll(/(\d+)m([\d.]+)s/gu)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  )
