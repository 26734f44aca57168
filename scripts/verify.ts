// npm run verify                                      prints the table of programs
// npm run verify <name> [-- --dialect sqlite ...]     runs a program, by default at full size
// npm run verify -- --ring night [--part kills]       runs all programs of a ring; the last line counts the runs
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { programs, programsOf } from '../test/programs.ts'
import { argumentsOf, parts, rings, type Part, type Program, type Ring } from '../test/programs/program.ts'
import { childSeconds } from './gate/cpu-time.ts'
import { optionsFrom } from './program-options.ts'
import { printTable } from './program-table.ts'

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
}

function choiceOf(args: readonly string[]): Choice {
  const chosen = new Map<string, string | undefined>()
  for (let at = 0; at < args.length; at += 2) chosen.set(args[at] ?? '', args[at + 1])
  const [ringName, partName] = [chosen.get('--ring'), chosen.get('--part')]
  const ring = rings.find((each) => each === ringName)
  const part = parts.find((each) => each === partName)
  if (ring === undefined) throw new Error(`--ring has to be one of ${rings.join(', ')}`)
  if (chosen.has('--part') && part === undefined) throw new Error(`--part has to be one of ${parts.join(', ')}`)
  return { ring, parts: part === undefined ? parts : [part] }
}

async function runRing({ ring, parts }: Choice): Promise<number> {
  const runs = parts
    .flatMap((part) => Object.entries(programsOf[part]))
    .flatMap(([name, program]) => (program[ring] ?? []).map((size) => ({ name, args: argumentsOf(size) })))
  const failed: string[] = []
  for (const { name, args } of runs) {
    const title = [name, ...args].join(' ')
    console.log(`── ${title}`)
    const [began, spent] = [performance.now(), childSeconds()]
    // Each in a process: a crash ends one program, and what it leaves open ends with it.
    const child = spawn(process.execPath, [import.meta.filename, name, ...args], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const [code] = (await once(child, 'close')) as [number | null]
    if (code !== 0) failed.push(title)
    const seconds = (performance.now() - began) / 1000
    const cpu = childSeconds() - spent
    console.log(`── ${seconds.toFixed(0)} s, ${cpu.toFixed(0)} CPU s${compared(cpu, programs[name], ring)}`)
  }
  for (const title of failed) console.log(`failed: npm run verify ${title}`)
  console.log(`${runs.length - failed.length} passed, ${failed.length} failed`)
  return failed.length === 0 && runs.length > 0 ? 0 : 1
}

function compared(cpu: number, program: Program | undefined, ring: Ring): string {
  const expected = program?.cost?.[ring]
  return expected === undefined ? '' : `, expected ${expected}`
}
