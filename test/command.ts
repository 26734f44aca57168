// Runs commands of the real program.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export const PROGRAM = fileURLToPath(new URL('../packages/server/bin/tain.js', import.meta.url))

export interface CommandOptions {
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Standard input; empty by default. */
  readonly input?: string
  readonly folder?: string
}

export interface Outcome {
  readonly code: number | null
  readonly out: string
  readonly error: string
}

export async function runCommand(args: readonly string[], options: CommandOptions = {}): Promise<Outcome> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', ...options.environment },
    cwd: options.folder,
    timeout: 200_000,
  })
  const texts = { out: '', error: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (texts.out += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (texts.error += chunk))
  // A command that refuses its options ends before it reads.
  child.stdin.on('error', () => undefined).end(options.input ?? '')
  await once(child, 'close')
  return { code: child.exitCode, ...texts }
}

export const linesOf = (text: string): readonly string[] => text.trimEnd().split('\n')
