import { afterAll, expect, test, vi } from 'vitest'
import { spentSeconds } from '../../scripts/gate/cpu-time.ts'
import { testDialects } from '../lib/databases.ts'
import { programsOf } from '../programs.ts'
import { argumentsOf, type Options, type Part, type Program } from './program.ts'

/** Each database has a project in vitest.config.ts. */
const database = process.env['SERVICE_DIALECT'] ?? 'postgres'
/** Crashes at every step of a schema change take ten minutes on a machine with much other work. */
const TIMEOUT = 1_200_000

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

/** A test for each program of a part, in its size of the gate. Parts are files, so that they run at the same time. */
export function testPart(part: Part): void {
  // Campaigns of schemas choose their database by this variable, and other test files run in the same process.
  vi.stubEnv('SERVICE_DIALECT', process.env['SERVICE_DIALECT'])
  afterAll(() => vi.unstubAllEnvs())
  const runs = Object.entries(programsOf[part]).flatMap(([name, program]) =>
    runsOf(program).map((run) => [titleOf(name, program, run), program, run] as const),
  )
  test.each(runs)('%s', { timeout: TIMEOUT }, async (_, program, run) => {
    const before = spentSeconds()
    const { failures } = await program.run(run, [])
    console.log(`${program.proves} ${(spentSeconds() - before).toFixed(1)} CPU s`)
    expect(failures).toEqual([])
  })
}
