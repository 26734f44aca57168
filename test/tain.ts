import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('../packages/server/bin/tain.js', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly error: string
}

/** Runs a command of the program to its end, without a terminal. */
export async function tain(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', ...environment },
    timeout: 200_000,
  })
  const texts = { out: '', error: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.error += text))
  await once(child, 'close')
  return { code: child.exitCode, ...texts }
}
