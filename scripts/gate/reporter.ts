import { join, relative } from 'node:path'
import type { SerializedError } from 'vitest'
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'

const top = join(import.meta.dirname, '../..')

export interface FileReport {
  readonly file: string
  readonly project: string
  readonly seconds: number
  /** CPU seconds of the file, and of the programs that it started and waited for. */
  readonly cpu: number
}

export interface Failure {
  /** The file and the full title. */
  readonly where: string
  readonly messages: readonly string[]
}

export interface TestReport {
  readonly passed: number
  readonly failed: number
  readonly files: readonly FileReport[]
  readonly failures: readonly Failure[]
}

/** Collects what the gate counts: tests, why they failed, and what each file of tests costs. */
export class GateReporter implements Reporter {
  report: TestReport = { passed: 0, failed: 0, files: [], failures: [] }

  onInit({ projects }: Vitest): void {
    for (const { config } of projects) config.setupFiles.push(join(import.meta.dirname, 'file-cost.ts'))
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const withState = (state: string) => tests.filter((test) => test.result().state === state)
    this.report = {
      passed: withState('passed').length,
      failed: withState('failed').length,
      files: modules.map(costOf),
      failures: [
        ...withState('failed').map(failureOf),
        ...modules.flatMap(brokenModule),
        ...unhandled.map((error) => ({ where: 'outside of the tests', messages: [error.stack ?? error.message] })),
      ],
    }
  }
}

const fileOf = ({ moduleId }: TestModule) => relative(top, moduleId)

function costOf(module: TestModule): FileReport {
  const { duration, collectDuration, setupDuration } = module.diagnostic()
  const { cpu } = module.meta() as { readonly cpu?: number }
  return {
    file: fileOf(module),
    project: module.project.name,
    seconds: (duration + collectDuration + setupDuration) / 1000,
    cpu: cpu ?? 0,
  }
}

const failureOf = (test: TestCase): Failure => ({
  where: `${fileOf(test.module)}: ${test.fullName}`,
  messages: (test.result().errors ?? []).map((error) => error.stack ?? error.message),
})

/** A file that does not load, or a hook that fails, is a failure without a failed test. */
function brokenModule(module: TestModule): readonly Failure[] {
  const suites = [...module.children.allSuites()]
  const errors = [...module.errors(), ...suites.flatMap((suite) => suite.errors())]
  return errors.length === 0
    ? []
    : [{ where: fileOf(module), messages: errors.map((error) => error.stack ?? error.message) }]
}
