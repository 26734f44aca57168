import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import { freePort } from './free-port.ts'
import { SECRET, until, type Environment } from './service.ts'
import { PROGRAM } from './program.ts'

const START_SECONDS = 200

export interface TerminalSession {
  readonly url: string
  /** Everything that the terminal has received so far, with its colours. */
  readonly shown: () => string
  readonly close: () => Promise<void>
}

/** Runs `tain start` on a terminal of 80 columns, which `script` of util-linux provides, until the banner is there. */
export async function startOnTerminal(environment: Environment): Promise<TerminalSession> {
  const port = await freePort()
  const command = `stty cols 80 rows 40; exec '${process.execPath}' '${PROGRAM}' start`
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      TERM: 'xterm-256color',
      SHELL: '/bin/sh',
      PORT: String(port),
      SECRET,
      ...environment,
    },
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  const close = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'close')
  }
  const shown = () => text.replaceAll('\r\n', '\n')
  const isOver = () => child.exitCode !== null || /Next {5}[\s\S]*\n\n/u.test(stripVTControlCharacters(shown()))
  try {
    await until(isOver, START_SECONDS, 'the banner')
  } catch (error) {
    await close()
    throw new Error(`no banner:\n${text}`, { cause: error })
  }
  return { url: `http://127.0.0.1:${port}`, shown, close }
}

export interface Dialogue {
  readonly code: number | null
  /** Everything that the terminal has shown, without colours and cursor movements. */
  readonly shown: string
}

/** Runs a command on a terminal and types an answer each time its question appears. */
export async function converse(
  args: readonly string[],
  answers: readonly (readonly [question: string, answer: string])[],
  { folder, environment = {} }: { readonly folder: string; readonly environment?: Environment },
): Promise<Dialogue> {
  const words = args.map((word) => `'${word}'`).join(' ')
  const child = spawn(
    'script',
    ['-qec', `stty cols 80 rows 40; exec '${process.execPath}' '${PROGRAM}' ${words}`, '/dev/null'],
    {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        TERM: 'xterm-256color',
        SHELL: '/bin/sh',
        ...environment,
      },
    },
  )
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  const shown = () => stripVTControlCharacters(text).replaceAll('\r', '')
  const closed = once(child, 'close')
  try {
    let seen = 0
    for (const [question, answer] of answers) {
      const isAsked = () => child.exitCode !== null || shown().indexOf(question, seen) >= 0
      await until(isAsked, START_SECONDS, `the question ${question}`)
      seen = shown().indexOf(question, seen) + question.length
      child.stdin.write(`${answer}\r`)
    }
    await closed
  } finally {
    child.kill('SIGKILL')
  }
  return { code: child.exitCode, shown: shown() }
}
