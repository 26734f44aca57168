import { runDoctor } from '../app/doctor.ts'
import { environmentWith } from '../config.ts'
import type { CheckResult } from '../doctor/examine.ts'
import { Usage, type ExitCode, type Run } from './command.ts'
import type { Terminal } from './terminal.ts'

const marks = {
  ok: ['✓', 'green'],
  warning: ['!', 'yellow'],
  problem: ['✗', 'red'],
  skipped: ['-', 'dim'],
  failed: ['?', 'yellow'],
} as const

/** Lists every check with its findings, and the fix below each. */
export const doctor: Run = async ({ options, settings, terminal }) => {
  const replicas = options['replicas'] === undefined ? null : Number(options['replicas'])
  if (replicas !== null && (!Number.isSafeInteger(replicas) || replicas < 1))
    throw new Usage('--replicas has to be a whole number from 1.')
  // Connections that wait for a response do not keep the process alive by themselves.
  const alive = setInterval(() => undefined, 60_000)
  try {
    const results = await runDoctor(environmentWith(settings), { replicas })
    if (options['json'] === true) terminal.print(`${JSON.stringify({ checks: results }, null, 2)}\n`)
    else for (const result of results) tellResult(result, terminal)
    return exitCodeOf(results)
  } finally {
    clearInterval(alive)
  }
}

function tellResult({ name, what, status, findings }: CheckResult, { tell, paint }: Terminal): void {
  const [mark, colour] = marks[status]
  tell(`${paint(colour, mark)} ${name}: ${what}${status === 'skipped' ? ' (not checked without a connection)' : ''}`)
  for (const { level, text, fix } of findings) {
    tell(`    ${text}`)
    tell(`    ${paint('bold', level === 'note' ? 'To change this:' : 'Fix:')} ${fix}`)
  }
}

function exitCodeOf(results: readonly CheckResult[]): ExitCode {
  if (results.some(({ status }) => status === 'problem')) return 1
  return results.some(({ status }) => status === 'failed') ? 2 : 0
}
