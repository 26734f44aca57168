import { failpoints, type Failpoint, type Failpoints } from '../lib/failpoint.ts'

/** The action at a failpoint, and the hit that triggers it; every hit if `count` is null. */
export interface Trap {
  readonly name: Failpoint | '*'
  readonly count: number | null
  readonly mode: 'crash' | 'throw' | 'note' | { readonly delay: number }
}

const TRAP = /^(?<name>\*|[a-z.-]+)(?::(?<count>[1-9]\d*))?:(?:(?<word>crash|throw|note)|delay:(?<delay>\d+))$/u

/** Parses `name[:count]:mode`, with the modes crash, throw, note and delay:milliseconds; undefined if it is invalid. */
export function parseTrap(text: string): Trap | undefined {
  const { name, count, word, delay } = TRAP.exec(text)?.groups ?? {}
  const known = name === '*' ? name : failpoints.find((failpoint) => failpoint === name)
  if (known === undefined) return undefined
  const mode = word === 'crash' || word === 'throw' || word === 'note' ? word : { delay: Number(delay) }
  return { name: known, count: count === undefined ? null : Number(count), mode }
}

export function createFailpoints(traps: readonly Trap[], note: (name: Failpoint, count: number) => void): Failpoints {
  const counts = new Map<string, number>()
  const countUp = (name: string): number => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count
  }
  return {
    async hit(name) {
      const count = countUp(name)
      const total = countUp('*')
      for (const trap of traps) {
        const reached = trap.name === '*' ? total : count
        if ((trap.name === '*' || trap.name === name) && (trap.count === null || trap.count === reached))
          await spring(trap, name, () => note(name, count))
      }
    },
  }
}

async function spring({ mode }: Trap, name: Failpoint, note: () => void): Promise<void> {
  if (mode === 'note') return note()
  if (mode === 'throw') throw new Error(`failpoint ${name}`)
  if (mode !== 'crash') return new Promise((resolve) => setTimeout(resolve, mode.delay))
  process.kill(process.pid, 'SIGKILL')
  // Never resolves: no code may run between the signal and its effect.
  return new Promise(() => undefined)
}
