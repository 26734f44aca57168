// Runs the shell commands of a page in one bash session, in an empty folder, as a reader would.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from '../lib/free-port.ts'
import { examplesOf, type Example } from './examples.ts'
import { blockOf, expectedOf, mismatch, type Response } from './expected.ts'
import type { Page } from './pages.ts'
import { ADDRESS } from './request.ts'

/** The addresses that pages show for a database of the reader. */
const EXAMPLE_URL = /postgres:\/\/user:password@localhost:5432\/\w+/gu
const [BEGIN, END, STATUS] = ['\u0001', '\u0002', '\u0003']
const PATIENCE = 300_000

/** Where a page is run: `npx tain` in the folder is the program, and the database is empty. */
export interface Place {
  readonly folder: string
  readonly dialect: 'postgres' | 'sqlite'
  readonly databaseUrl: string
}

export const isAsWritten = ({ lines }: Page): boolean => lines.includes('<!-- run: as written -->')

const shellExamples = (page: Page, { dialect }: Place): readonly Example[] =>
  examplesOf(page).filter(({ block: { options } }) => options['only'] === undefined || options['only'] === dialect)

/** curl says the status at its end only where its output is shown, not where another command reads it. */
const CURL = `curl() { command curl --silent --show-error --write-out '\\n${STATUS}%{http_code}' "$@"; }`

/** The service of a page runs until the next one starts, or until the end. */
const started = (text: string, port: number) => `
if [ -n "\${service:-}" ]; then kill "$service"; wait "$service" 2>/dev/null; fi
${text} >>service.log 2>&1 </dev/null &
service=$!
for attempt in $(seq 1200); do
  command curl --silent --output /dev/null http://127.0.0.1:${port}/server/ping && break
  kill -0 "$service" 2>/dev/null || { cat service.log >&2; false; break; }
  sleep 0.1
done`

function commandsOf({ block }: Example, port: number): string {
  const text = block.lines.join('\n')
  if (Object.hasOwn(block.options, 'start')) return started(text, port)
  return text.startsWith('curl ') ? `${CURL}\n${text}\nunset -f curl` : text
}

const scriptOf = (examples: readonly Example[], port: number): string =>
  [
    `trap 'kill "\${service:-}" 2>/dev/null; wait' EXIT`,
    ...examples.map(
      (example, index) =>
        `printf '${BEGIN}${index}\\n'\n{ ${commandsOf(example, port)}\n}\nprintf '${END}%d\\n' $?\nprintf '${END}${index}\\n' >&2`,
    ),
  ].join('\n')

/** npx does not end the program that it started. */
function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGTERM')
  } catch {
    // Nothing of the group is left.
  }
}

async function runScript(script: string, { folder, databaseUrl }: Place, port: number) {
  const child = spawn('bash', ['-s'], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      PORT: String(port),
      DATABASE_URL: undefined,
      // Pages do not wait for the time that a wrong password costs.
      LOGIN_STALL_TIME: '0',
    },
    timeout: PATIENCE,
    detached: true,
  })
  const ended = once(child, 'close')
  const texts = { out: '', error: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (texts.out += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (texts.error += chunk))
  child.stdin.end(script.replaceAll(ADDRESS, `http://127.0.0.1:${port}`).replaceAll(EXAMPLE_URL, databaseUrl))
  await once(child, 'exit')
  endGroup(child.pid)
  await ended
  return texts
}

interface Ran {
  readonly response: Response
  readonly code: number
  readonly said: string
}

function ranIn({ out, error }: { out: string; error: string }, index: number): Ran | null {
  const from = out.indexOf(`${BEGIN}${index}\n`)
  const to = from === -1 ? -1 : out.indexOf(END, from)
  const said = error.split(END)[index]?.replace(/^\d*\n/u, '') ?? error
  if (to === -1) return null
  const text = out.slice(from + `${BEGIN}${index}\n`.length, to)
  const [body = '', status = '200'] = text.split(`\n${STATUS}`)
  return {
    response: { status: Number.parseInt(status, 10), headers: new Headers(), text: body },
    code: Number.parseInt(out.slice(to + 1), 10),
    said,
  }
}

function problemOf({ expected }: Example, ran: Ran | null): string | null {
  if (ran === null) return 'the session ended before this block'
  if (expected !== null) return mismatch(expectedOf(expected), ran.response)?.concat(`\n${ran.said}`) ?? null
  if (ran.response.status >= 300) return `the status is ${ran.response.status}: ${ran.response.text}`
  return ran.code === 0 ? null : `the exit code is ${ran.code}: ${ran.said}`
}

export interface AsWritten {
  /** One line per example that differs: page, line and difference. */
  readonly failures: readonly string[]
  /** The page with the real output. */
  readonly text: string
}

export async function runAsWritten(page: Page, place: Place): Promise<AsWritten> {
  const port = await freePort()
  const examples = shellExamples(page, place)
  const texts = await runScript(scriptOf(examples, port), place, port)
  const lines: (string | null)[] = [...page.lines]
  const failures = examples.flatMap((example, index) => {
    const ran = ranIn(texts, index)
    const problem = problemOf(example, ran)
    if (problem === null) return []
    const { expected, block } = example
    if (expected !== null && ran !== null) {
      lines.fill(null, expected.start - 1, expected.end)
      lines[expected.start - 1] = blockOf(expected, ran.response).join('\n')
    }
    return `${page.path}:${block.start} on ${place.dialect}: ${problem}`
  })
  if (failures.length > 0) appendFileSync(join(place.folder, 'service.log'), texts.error)
  return { failures, text: lines.filter((line) => line !== null).join('\n') }
}

export const logOf = ({ folder }: Place): string => {
  try {
    return readFileSync(join(folder, 'service.log'), 'utf8')
  } catch {
    return ''
  }
}
