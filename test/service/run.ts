import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from '../lib/service.ts'

const PACKAGE = fileURLToPath(new URL('../../packages/server/', import.meta.url))
const START_SECONDS = 170

/** A run of `tain <url>` or `tain demo`, with what its banner says. */
export interface Run {
  readonly origin: string
  readonly token: string
  readonly curl: string
  readonly output: () => { readonly out: string; readonly error: string }
  get(path: string, token?: string | null): Promise<Response>
  post(path: string, body: unknown): Promise<Response>
  /** Sends the signal of Ctrl-C and resolves to the exit code. */
  stop(): Promise<number | null>
}

export interface RunOptions {
  readonly cwd: string
  readonly program?: string
  readonly environment?: Readonly<Record<string, string>>
}

/**
 * The launcher in a folder of its own, so that files that it writes next to itself are its own. It can log statements, and
 * is the published one otherwise.
 */
export async function copiedPackage(folder: string): Promise<string> {
  for (const name of ['bin', 'testing', 'package.json'])
    await cp(join(PACKAGE, name), join(folder, name), { recursive: true })
  await symlink(join(PACKAGE, 'src'), join(folder, 'src'))
  return join(folder, 'testing/tain.js')
}

export const filesIn = async (folder: string): Promise<string[]> => (await readdir(folder, { recursive: true })).sort()

export function launch(args: readonly string[], { cwd, program, environment }: RunOptions) {
  const child = spawn(process.execPath, [program ?? join(PACKAGE, 'bin/tain.js'), ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...environment },
  })
  const texts = { out: '', error: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (texts.out += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (texts.error += chunk))
  const closed = once(child, 'close')
  return { child, texts, closed }
}

export async function startRun(args: readonly string[], options: RunOptions): Promise<Run> {
  const { child, texts, closed } = launch(args, options)
  const isOver = () => child.exitCode !== null || texts.error.includes('Ctrl-C ends the run.')
  await until(isOver, START_SECONDS, 'the banner').catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  if (child.exitCode !== null) throw new Error(`the run ended with ${child.exitCode}: ${texts.error}`)
  const found = (pattern: RegExp) => pattern.exec(texts.error)?.[1] ?? ''
  const origin = found(/REST +(http:\/\/[^/]+)/u)
  const token = found(/Bearer ([^']+)'/u)
  const headers = (given: string | null) => (given === null ? {} : { authorization: `Bearer ${given}` })
  return {
    origin,
    token,
    curl: found(/(curl (?:.*\\\n)*.*)$/mu),
    output: () => texts,
    get: (path, given = token) => fetch(`${origin}${path}`, { headers: headers(given) }),
    post: (path, body) =>
      fetch(`${origin}${path}`, {
        method: 'POST',
        headers: { ...headers(token), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    async stop() {
      child.kill('SIGINT')
      await closed
      return child.exitCode
    },
  }
}
