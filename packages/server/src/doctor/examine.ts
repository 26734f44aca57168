import { DatabaseError } from '../sql/driver.ts'
import type { Check, DatabaseExamination, Examination, Finding } from './check.ts'
import { checks, type CheckName } from './checks.ts'
import { addressProblems } from './settings-checks.ts'

export interface CheckResult {
  readonly name: CheckName
  readonly what: string
  /** 'skipped': without a connection. 'failed': the check itself could not be made. */
  readonly status: 'ok' | 'warning' | 'problem' | 'skipped' | 'failed'
  readonly findings: readonly Finding[]
}

const statusOf = (findings: readonly Finding[]): CheckResult['status'] =>
  (['problem', 'warning'] as const).find((status) => findings.some(({ level }) => level === status)) ?? 'ok'

/** Runs all checks, one after another. `database` is null if there is no address to connect to. */
export async function examine(
  settings: Examination,
  database: DatabaseExamination | null,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = []
  let isConnected = database !== null
  for (const [key, check] of Object.entries(checks) as [CheckName, Check][]) {
    const result = await resultOf(key, check, settings, isConnected || key === 'connection' ? database : null)
    results.push({ name: key, what: check.what, ...result })
    if (key === 'connection' && result.status !== 'ok') isConnected = false
  }
  return results
}

async function resultOf(
  name: CheckName,
  check: Check,
  settings: Examination,
  database: DatabaseExamination | null,
): Promise<Pick<CheckResult, 'status' | 'findings'>> {
  try {
    const findings =
      check.needs === 'settings' ? await check.run(settings) : database === null ? null : await check.run(database)
    if (findings !== null) return { status: statusOf(findings), findings }
    const reasons = name === 'connection' ? addressProblems(settings) : []
    return reasons.length > 0 ? { status: 'problem', findings: reasons } : { status: 'skipped', findings: [] }
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    const text = `The check could not be made: ${error.message}.`
    return {
      status: 'failed',
      findings: [{ level: 'warning', text, fix: 'Run tain doctor again, or as the owner of the database' }],
    }
  }
}
