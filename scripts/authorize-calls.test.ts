import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copySources, PATIENCE } from './copied-sources.ts'
import { top } from '../test/lib/throwaway.ts'

const ENGINE = 'packages/server/src/engine'
const CALL = /\bauthorize(?:Collection|Tree|Create|Existing|Read)\(|\.authorize\(/u

interface Call {
  readonly file: string
  readonly line: number
}

/** Lines of the engine that call an authorize function; declarations and imports are none. */
const calls: readonly Call[] = readdirSync(join(top, ENGINE), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .flatMap((name) => {
    const file = join(ENGINE, name)
    return readFileSync(join(top, file), 'utf8')
      .split('\n')
      .flatMap((text, line) =>
        CALL.test(text) && !/^(import|export|async function|function)\b/u.test(text) ? [{ file, line }] : [],
      )
  })

/** One call of each file at a time: every file of a round has to fail by itself. */
const rounds = [...Map.groupBy(calls, ({ file }) => file).values()].reduce<Call[][]>((all, ofFile) => {
  for (const [index, call] of ofFile.entries()) (all[index] ??= []).push(call)
  return all
}, [])

let folder: string

beforeAll(() => {
  folder = copySources('authorize')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function errorsWithout(removed: readonly Call[]): string {
  for (const { file, line } of removed) {
    const lines = readFileSync(join(top, file), 'utf8').split('\n')
    writeFileSync(join(folder, file), lines.with(line, `// ${lines[line] ?? ''}`).join('\n'))
  }
  const { stdout } = spawnSync(join(top, 'node_modules/.bin/tsc'), ['-p', folder], { cwd: folder, encoding: 'utf8' })
  for (const { file } of removed) cpSync(join(top, file), join(folder, file))
  return stdout
}

test(
  'the engine calls authorize before every write and every read',
  () => {
    expect(calls.length).toBeGreaterThan(15)
    expect(errorsWithout([])).toBe('')
  },
  PATIENCE,
)

test.each(rounds.map((round) => [round.map(({ file, line }) => `${file}:${line + 1}`).join(', '), round] as const))(
  'the project does not compile without %s',
  (_, round) => {
    const errors = errorsWithout(round)
    for (const { file } of round) expect(errors).toContain(`${file}(`)
  },
  PATIENCE,
)
