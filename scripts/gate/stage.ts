import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { secondsIn } from './cpu-time.ts'

export interface StageResult {
  readonly name: string
  readonly isOk: boolean
  readonly seconds: number
  /** CPU seconds of the command and of what it started and waited for. */
  readonly cpu: number
}

interface Place {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly isAlone: boolean
}

const running = new Set<ChildProcess>()

/** Runs a command. Its output goes to the terminal, or comes as a whole at the end if other stages run meanwhile. */
export async function runStage(
  name: string,
  command: readonly string[],
  { cwd, env, isAlone }: Place,
): Promise<StageResult> {
  const began = performance.now()
  if (isAlone) console.log(`── ${name}`)
  const output = isAlone ? 'inherit' : 'pipe'
  // Several stages may run at a time, so the shell of each counts what its own command takes.
  const child = spawn('bash', ['-c', '"$@" 3>&-; code=$?; times >&3; exit $code', 'stage', ...command], {
    cwd,
    env,
    stdio: ['ignore', output, output, 'pipe'],
  })
  running.add(child)
  const printed = Promise.all(
    [child.stdout, child.stderr].map((stream) => (stream === null ? Promise.resolve('') : text(stream))),
  )
  const times = text(child.stdio[3] as Readable)
  const [code] = (await once(child, 'exit')) as [number | null]
  running.delete(child)
  const result = {
    name,
    isOk: code === 0,
    seconds: (performance.now() - began) / 1000,
    cpu: secondsIn(await times),
  }
  if (!isAlone) console.log(`── ${name}\n${(await printed).join('')}`)
  console.log(`── ${describeStage(result)}\n`)
  return result
}

const describeStage = ({ name, isOk, seconds, cpu }: StageResult) =>
  `${name}: ${isOk ? 'ok' : 'FAILED'}, ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} CPU s`

export function stopStages(): void {
  for (const child of running) child.kill()
}
