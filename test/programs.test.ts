// Every program that has a size in the gate. Vitest runs this file once for each database: the projects in vitest.config.ts.
import { describe, expect, test } from 'vitest'
import { spentSeconds } from '../scripts/gate/cpu-time.ts'
import { testDialects } from './lib/databases.ts'
import { programsOf } from './programs.ts'
import { argumentsOf, type Options, type Program } from './programs/program.ts'

const database = process.env['SERVICE_DIALECT'] ?? 'postgres'
const TIMEOUT = 600_000

const isOfProject = ({ dialect = 'postgres' }: Options) =>
  dialect === database && testDialects.some((each) => each === dialect)

/** Commands are stages of the gate. */
const runsOf = (program: Program): readonly Options[] =>
  program.command === undefined
    ? (program.gate ?? []).map((size) => ({ ...program.options, ...size })).filter(isOfProject)
    : []

/** What distinguishes a run from the full size. */
const titleOf = (name: string, { options }: Program, run: Options) =>
  [name, ...argumentsOf(Object.fromEntries(Object.entries(run).filter(([key, value]) => value !== options[key])))].join(
    ' ',
  )

for (const [part, programs] of Object.entries(programsOf)) {
  const runs = Object.entries(programs).flatMap(([name, program]) =>
    runsOf(program).map((run) => [titleOf(name, program, run), program, run] as const),
  )
  describe.skipIf(runs.length === 0)(part, () => {
    test.each(runs)('%s', { timeout: TIMEOUT }, async (_, program, run) => {
      const before = spentSeconds()
      const { failures } = await program.run(run, [])
      console.log(`${program.proves} ${(spentSeconds() - before).toFixed(1)} CPU s`)
      expect(failures).toEqual([])
    })
  })
}
