// What the gate prints at its end: costs, failures, and the line that is counted.
import type { FileReport, TestReport } from './reporter.ts'
import type { StageResult } from './stage.ts'

/** `test/cost.json`: CPU seconds that stages and files of tests are expected to take. */
export interface Cost {
  readonly stages: Readonly<Record<string, number>>
  readonly files: Readonly<Record<string, number>>
}

export interface SuiteResult {
  readonly passed: number
  readonly failed: number
}

const DEAREST = 10
/** A cost is remarked on when it is a quarter more than expected. */
const ALLOWANCE = 1.25
const SHOWN_LINES = 12
const SHOWN_CHARACTERS = 400

/** `database test/service/seek.test.ts`: a file may run in several projects. */
export const keyOf = ({ project, file }: FileReport): string => `${project} ${file}`

export function costLines(stages: readonly StageResult[], files: readonly FileReport[], expected: Cost): string[] {
  const dearest = files.toSorted((a, b) => b.cpu - a.cpu).slice(0, DEAREST)
  const total = stages.reduce((sum, { cpu }) => sum + cpu, 0)
  return [
    '   CPU s  seconds  stage',
    ...stages.map(({ name, cpu, seconds }) => costLine(name, cpu, seconds, expected.stages[name])),
    `${total.toFixed(1).padStart(8)}           together, without the servers of databases`,
    ...(dearest.length === 0 ? [] : ['', `   CPU s  seconds  the ${dearest.length} dearest files of ${files.length}`]),
    ...dearest.map((each) => costLine(keyOf(each), each.cpu, each.seconds, expected.files[keyOf(each)])),
  ]
}

function costLine(name: string, cpu: number, seconds: number, expected: number | undefined): string {
  const remark =
    expected === undefined ? '' : cpu > expected * ALLOWANCE ? `, DEARER than ${expected}` : `, expected ${expected}`
  return `${cpu.toFixed(1).padStart(8)} ${seconds.toFixed(1).padStart(8)}  ${name}${remark}`
}

/** Every failed test with the first lines of why. */
export const failureLines = ({ failures }: TestReport): string[] =>
  failures.flatMap(({ where, messages }) => [
    `failed: ${where}`,
    ...messages
      .join('\n')
      .split('\n')
      .slice(0, SHOWN_LINES)
      .map((line) => `    ${line.slice(0, SHOWN_CHARACTERS)}`),
  ])

/** Counts tests and checks. A stage that failed without a failed test is a failure of its own. */
export function countOf(stages: readonly StageResult[], counted: ReadonlyMap<string, SuiteResult>): SuiteResult {
  const sum = (values: readonly number[]) => values.reduce((all, each) => all + each, 0)
  const broken = stages.filter(({ name, isOk }) => !isOk && (counted.get(name)?.failed ?? 0) === 0)
  const results = [...counted.values()]
  return {
    passed: sum(results.map(({ passed }) => passed)),
    failed: sum(results.map(({ failed }) => failed)) + broken.length,
  }
}
