// npm run verify attacks -- --dialect sqlite --only H6a,H6b
// Attacks that once succeeded, repeated over HTTP against a running service: each must be rejected.
import { parseArgs } from 'node:util'
import { isTestDialect, testDialects, type TestDialect } from '../lib/databases.ts'
import { attacksOn } from './attacks.ts'
import { createStage, type Stage } from './stage.ts'
import type { Attack } from './verdict.ts'

const PATIENCE = 1000

const { values } = parseArgs({ options: { dialect: { type: 'string' }, only: { type: 'string' } } })
const only = values.only?.split(',') ?? null

function dialectsOf(name: string | undefined): readonly TestDialect[] {
  if (name === undefined) return testDialects
  if (!isTestDialect(name)) throw new Error(`there is no database ${name}`)
  return [name]
}

async function judge({ attempt }: Attack, stage: Stage): Promise<string> {
  try {
    const holes = await attempt(stage)
    return holes.length === 0 ? 'refused' : `GOT THROUGH: ${holes.join('; ')}`
  } catch (error) {
    return `NOT TRIED: ${String(error)}`
  }
}

let [tried, failed] = [0, 0]
for (const dialect of dialectsOf(values.dialect)) {
  const stage = await createStage(dialect, { patience: PATIENCE })
  try {
    for (const attack of attacksOn(dialect).filter(({ id }) => only === null || only.includes(id))) {
      const outcome = await judge(attack, stage)
      tried += 1
      if (outcome !== 'refused') failed += 1
      console.info(`${dialect} ${attack.id} ${attack.what}: ${outcome}`)
    }
  } finally {
    await stage.end()
  }
}
console.info(`${tried} attacks, ${tried - failed} refused, ${failed} not`)
process.exitCode = failed === 0 ? 0 : 1
