// Runs commands: of the real program, or in this process, which is ten times as fast.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { runCommandLine } from '../../packages/server/src/cli/command-line.ts'
import { optionName } from '../../packages/server/src/config/arguments.ts'
import { PROGRAM } from './program.ts'

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

/** The same in this process, for tests of many commands. Settings are given as options. */
export async function callCommand(
  args: readonly string[],
  { environment = {}, input = '' }: Pick<CommandOptions, 'environment' | 'input'> = {},
): Promise<Outcome> {
  const texts = { out: '', error: '' }
  const write = (chunk: string | Buffer) => void (texts.out += chunk.toString())
  const output = new Writable({
    write(chunk: Buffer, _, done) {
      write(chunk)
      done()
    },
  })
  const settings = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : [optionName(name), value],
  )
  const code = await runCommandLine([...args, ...settings], {
    input: Readable.from([input]),
    output,
    print: write,
    tell: (line) => (texts.error += `${line}\n`),
    isInteractive: false,
    columns: 80,
    paint: (_, text) => text,
    progress: () => ({ advance: () => undefined, end: () => undefined }),
  })
  return { code, ...texts }
}

export const linesOf = (text: string): readonly string[] => text.trimEnd().split('\n')
