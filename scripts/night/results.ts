// What runs of programs came to: `.ci/night` writes a row for each, and docs/night.md is made from the newest ones.
import { stripVTControlCharacters } from 'node:util'
import { parts, type Part } from '../../test/programs/program.ts'

export interface NightResult {
  readonly part: Part
  readonly program: string
  readonly proves: string
  /** The options beside the name. */
  readonly options: string
  /** A day, as `2026-11-19`. */
  readonly date: string
  readonly isOk: boolean
  readonly seconds: number
  /** CPU seconds of the program and what it started, without servers of databases. */
  readonly cpu: number
  /** The last line that it printed. */
  readonly result: string
}

const LONGEST = 300

/** The last line of an output that says something. */
export function lastLine(output: string): string {
  const line =
    stripVTControlCharacters(output)
      .trimEnd()
      .split(/[\r\n]+/u)
      .at(-1)
      ?.trim() ?? ''
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
}

const keyOf = ({ program, options }: NightResult) => `${program} ${options}`

/** The newest row of each program and size, in the order of the parts. */
export function newestOf(results: readonly NightResult[]): readonly NightResult[] {
  const newest = new Map<string, NightResult>()
  for (const each of results) if ((newest.get(keyOf(each))?.date ?? '') <= each.date) newest.set(keyOf(each), each)
  return [...newest.values()].toSorted(
    (a, b) => parts.indexOf(a.part) - parts.indexOf(b.part) || (keyOf(a) < keyOf(b) ? -1 : 1),
  )
}

const cell = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('`', "'")

function rowOf({ program, options, proves, date, isOk, seconds, cpu, result }: NightResult): string {
  const command = ['npm run verify', program, ...(options === '' ? [] : ['--', options])].join(' ')
  const cells = [proves, `\`${command}\``, date, isOk ? 'passed' : '**failed**', seconds, cpu, cell(result)]
  return `| ${cells.map(String).join(' | ')} |`
}

const introduction = `<!-- Made from test/night.json by \`npm run docs:night\`. -->

# Results of the night

\`.ci/night\` runs what is too large for every change: full sizes, kills, clusters, other versions of databases. Each row holds
the newest run of a program, with its last line. [Measurements](measurements.md) says what figures are held to.
`

export function pageOf(results: readonly NightResult[]): string {
  const sections = parts.flatMap((part) => {
    const rows = newestOf(results).filter((each) => each.part === part)
    if (rows.length === 0) return []
    const head = ['| What is proved | Command | Date | | s | CPU s | Last line |', '|---|---|---|---|---|---|---|']
    return [`## ${part[0]?.toUpperCase()}${part.slice(1)}`, '', ...head, ...rows.map(rowOf), '']
  })
  return [introduction, ...sections].join('\n')
}
