// Everything that can be run to verify the service, besides the unit tests and the tests of single features: by part of the
// night. `npm run verify` prints this table.
import { app } from './programs/app.ts'
import { clusters } from './programs/clusters.ts'
import { databases } from './programs/databases.ts'
import { deployments } from './programs/deployments.ts'
import { kills } from './programs/kills.ts'
import { measurements } from './programs/measurements.ts'
import type { Part, Program } from './programs/program.ts'
import { random } from './programs/random.ts'

export const programsOf: Readonly<Record<Part, Readonly<Record<string, Program>>>> = {
  databases,
  random,
  kills,
  clusters,
  measurements,
  app,
  deployments,
}

export const programs: Readonly<Record<string, Program>> = Object.assign({}, ...Object.values(programsOf))
