// npm run verify attacks -- --dialect sqlite --only H6a,H6b
// Attacks that once succeeded, repeated over HTTP against a running service: each must be rejected.
import { testDialects, type TestDialect } from '../lib/databases.ts'
import { attacksOn } from './attacks.ts'
import { createStage, type Stage } from './stage.ts'
import type { Attack } from './verdict.ts'

const PATIENCE = 1000

async function judge({ attempt }: Attack, stage: Stage): Promise<string> {
  try {
    const holes = await attempt(stage)
    return holes.length === 0 ? 'refused' : `GOT THROUGH: ${holes.join('; ')}`
  } catch (error) {
    return `NOT TRIED: ${String(error)}`
  }
}

interface Choice {
  /** Without it, every database. */
  readonly dialect: TestDialect | null
  /** Names of attacks, with commas. */
  readonly only: string | null
}

export async function repeatAttacks({ dialect, only }: Choice): Promise<{ readonly failures: readonly string[] }> {
  const names = only?.split(',') ?? null
  const failures: string[] = []
  let tried = 0
  for (const each of dialect === null ? testDialects : [dialect]) {
    const stage = await createStage(each, { patience: PATIENCE })
    try {
      for (const attack of attacksOn(each).filter(({ id }) => names === null || names.includes(id))) {
        const outcome = await judge(attack, stage)
        const line = `${each} ${attack.id} ${attack.what}: ${outcome}`
        tried += 1
        if (outcome !== 'refused') failures.push(line)
        console.info(line)
      }
    } finally {
      await stage.end()
    }
  }
  console.info(`${tried} attacks, ${tried - failures.length} refused, ${failures.length} not`)
  return { failures: tried === 0 ? ['no attack was tried'] : failures }
}
