// npm run verify                                      prints the table of programs
// npm run verify <name> [-- --dialect sqlite ...]     runs a program, by default at full size
// npm run verify -- --ring night [--part kills] [--results file]
// runs all programs of a ring; the last line counts the runs, and the file gets a row for each (npm run docs:night)
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { programs, programsOf } from '../test/programs.ts'
import { argumentsOf, parts, rings, type Part, type Program, type Ring } from '../test/programs/program.ts'
import { childSeconds } from './gate/cpu-time.ts'
import { lastLine, type NightResult } from './night/results.ts'
import { optionsFrom } from './program-options.ts'
import { printTable } from './program-table.ts'

/** The end of an output in which its last line is. */
const OUTPUT_KEPT = 10_000

const [first, ...rest] = process.argv.slice(2)

if (first === undefined) console.log(printTable(programsOf))
else if (first.startsWith('--')) process.exitCode = await runRing(choiceOf([first, ...rest]))
else process.exitCode = await runProgram(first, rest)
// A program may leave connections and timers open.
process.exit()

async function runProgram(name: string, args: readonly string[]): Promise<number> {
  const program = programs[name]
  if (program === undefined) {
    console.error(`There is no program ${name}. "npm run verify" lists all programs.`)
    return 2
  }
  // Promises alone do not keep the process alive.
  const alive = setInterval(() => {}, 60_000)
  try {
    const { failures } =
      program.command === undefined ? await program.run(optionsFrom(args, program), []) : await program.run({}, args)
    for (const failure of failures) console.log(`FAILED ${failure}`)
    return failures.length === 0 ? 0 : 1
  } catch (error) {
    console.error(`${name}:`, error)
    return 1
  } finally {
    clearInterval(alive)
  }
}

interface Choice {
  readonly ring: Ring
  readonly parts: readonly Part[]
  readonly results: string | undefined
}

function choiceOf(args: readonly string[]): Choice {
  const chosen = new Map<string, string | undefined>()
  for (let at = 0; at < args.length; at += 2) chosen.set(args[at] ?? '', args[at + 1])
  const [ringName, partName] = [chosen.get('--ring'), chosen.get('--part')]
  const ring = rings.find((each) => each === ringName)
  const part = parts.find((each) => each === partName)
  if (ring === undefined) throw new Error(`--ring has to be one of ${rings.join(', ')}`)
  if (chosen.has('--part') && part === undefined) throw new Error(`--part has to be one of ${parts.join(', ')}`)
  return { ring, parts: part === undefined ? parts : [part], results: chosen.get('--results') }
}

interface Run {
  readonly part: Part
  readonly name: string
  readonly args: readonly string[]
}

const titleOf = ({ name, args }: Run): string => [name, ...(args.length === 0 ? [] : ['--', ...args])].join(' ')

async function runRing({ ring, parts, results: file }: Choice): Promise<number> {
  const runs: readonly Run[] = parts.flatMap((part) =>
    Object.entries(programsOf[part]).flatMap(([name, program]) =>
      (program[ring] ?? []).map((size) => ({ part, name, args: argumentsOf(size) })),
    ),
  )
  const results: NightResult[] = []
  for (const run of runs) {
    console.log(`── ${titleOf(run)}`)
    const result = await resultOf(run)
    results.push(result)
    console.log(`── ${result.seconds} s, ${result.cpu} CPU s${compared(result.cpu, programs[run.name], ring)}`)
    // After each: a night that is cut off has told what it found.
    if (file !== undefined) writeFileSync(file, JSON.stringify(results, null, 1))
  }
  const failed = runs.filter((_, at) => results[at]?.isOk !== true)
  for (const run of failed) console.log(`failed: npm run verify ${titleOf(run)}`)
  console.log(`${runs.length - failed.length} passed, ${failed.length} failed`)
  return failed.length === 0 && runs.length > 0 ? 0 : 1
}

/** Each run is a process: a crash ends one program, and what it leaves open ends with it. */
async function resultOf({ part, name, args }: Run): Promise<NightResult> {
  const [began, spent] = [performance.now(), childSeconds()]
  const child = spawn(process.execPath, [import.meta.filename, name, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    process.stdout.write(chunk)
    output = `${output}${chunk}`.slice(-OUTPUT_KEPT)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return {
    part,
    program: name,
    proves: programs[name]?.proves ?? '',
    options: args.join(' '),
    date: new Date().toISOString().slice(0, 10),
    isOk: code === 0,
    seconds: Math.round((performance.now() - began) / 1000),
    cpu: Math.round(childSeconds() - spent),
    result: lastLine(output),
  }
}

function compared(cpu: number, program: Program | undefined, ring: Ring): string {
  const expected = program?.cost?.[ring]
  return expected === undefined ? '' : `, expected ${expected}`
}
