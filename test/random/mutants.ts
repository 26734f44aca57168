import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gateSeed } from './cases.ts'
import { type Edit, type Mutant, MUTANTS } from './mutant-list.ts'

const TOP = join(import.meta.dirname, '../..')
const SOURCE = 'packages/server/src'

/**
 * Returns the file's text with the mistake in it. The search text must occur exactly once, or the check proves nothing.
 */
export function mutate({ file, search, replace }: Edit, name: string, top = TOP): string {
  const text = readFileSync(join(top, SOURCE, file), 'utf8')
  const parts = text.split(search)
  if (parts.length !== 2) throw new Error(`'${name}': its text stands ${parts.length - 1} times in ${file}`)
  return parts.join(replace)
}

/** Copies the server. */
function copyOf(top: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tain-mutant-'))
  cpSync(join(top, 'packages'), join(folder, 'packages'), { recursive: true })
  cpSync(join(top, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(TOP, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Copies the server and applies the mistake. */
function plant(mutant: Mutant | null, top: string): string {
  const folder = copyOf(top)
  for (const edit of mutant?.edits ?? [])
    writeFileSync(join(folder, SOURCE, edit.file), mutate(edit, mutant?.name ?? '', top))
  return folder
}

/** The approximate number of writes in a sequence, besides those of the administrator. */
const SEQUENCE = 7.5

interface Trial {
  readonly top: string
  readonly seed: number
  readonly cases: number
}

interface Verdict {
  readonly isCaught: boolean
  /** All cases ran and none failed. */
  readonly isSound: boolean
  readonly lastLine: string
}

/** The program, or the tests, that have to detect a mistake. */
function commandOf(by: Mutant['by'], seed: number, cases: number): readonly string[] {
  const verify = (name: string, ...options: readonly string[]) => [join(TOP, 'scripts/verify.ts'), name, ...options]
  if (by === 'reads') return verify('oracle', '--cases', `${cases}`, '--seed', `${seed}`, '--quick')
  if (by === 'writes')
    return verify('oracle-writes', '--sequences', `${Math.ceil(cases / SEQUENCE)}`, '--seed', `${seed}`, '--quick')
  if (by === 'files') return verify('file-rights', '--requests', '1000', '--failures', '1', '--seed', `${gateSeed()}`)
  return [join(TOP, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'database', '--reporter', 'dot', by]
}

/** With null, checks the unchanged server. */
async function judge(mutant: Mutant | null, by: Mutant['by'], { top, seed, cases }: Trial): Promise<Verdict> {
  const folder = plant(mutant, top)
  const program = join(folder, 'packages/server/bin/tain.js')
  try {
    const args = commandOf(by, seed, cases)
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NO_COLOR: '1', SERVICE_PROGRAM: program },
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
    await once(child, 'close')
    const lastLine = output.trim().split('\n').at(-1) ?? ''
    const isCaught = child.exitCode === 1 && /FAILED|Tests .*[1-9]\d* failed/u.test(output)
    return { isCaught, isSound: child.exitCode === 0, lastLine }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Choice {
  readonly seed: number
  readonly cases: number
  /** A part of the name. */
  readonly only: string | null
  readonly by: string | null
}

export async function tryMutants(choice: Choice): Promise<{ readonly failures: readonly string[] }> {
  const chosen = MUTANTS.filter(
    ({ name, by }) => (choice.only === null || name.includes(choice.only)) && (choice.by === null || by === choice.by),
  )
  if (chosen.length === 0) return { failures: ['no mutant was chosen'] }
  for (const { edits, name } of chosen) for (const edit of edits) mutate(edit, name)
  const survivors: string[] = []
  // The source may change during the run.
  const trial: Trial = { top: copyOf(TOP), seed: choice.seed, cases: choice.cases }
  // Catching a mistake only counts if the unchanged server passes.
  for (const by of new Set(chosen.map((mutant) => mutant.by))) {
    const { isSound, lastLine } = await judge(null, by, trial)
    console.log(`${isSound ? 'sound   ' : 'WRONG   '} the server as it is, ${by} (${lastLine})`)
    if (!isSound) survivors.push(`(the server as it is, ${by})`)
  }
  for (const mutant of chosen) {
    const { isCaught, lastLine } = await judge(mutant, mutant.by, trial)
    console.log(`${isCaught ? 'caught  ' : 'SURVIVED'} ${mutant.name} (${lastLine})`)
    if (!isCaught) survivors.push(mutant.name)
  }
  console.log(`${chosen.length} mutants, ${survivors.length} survived`)
  return { failures: survivors }
}
