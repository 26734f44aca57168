// npm run verify openapi-responses [-- items,fields]
// Every response of the acceptance suite is compared with what the OpenAPI document of its caller says about it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describedBy, mismatch, UNDESCRIBED, type Described, type Exchange } from './described.ts'

interface Recorded extends Exchange {
  readonly query: string
  readonly document: string
}

const top = join(import.meta.dirname, '../..')
const SHOWN = 60

const folder = mkdtempSync(join(tmpdir(), 'tain-openapi-'))
try {
  const hook = join(import.meta.dirname, 'hook.ts')
  const env = { ...process.env, OPENAPI_RECORDS: folder, NODE_OPTIONS: `--import=${hook}` }
  spawnSync(process.execPath, ['scripts/acceptance.ts', ...process.argv.slice(2)], { cwd: top, env, stdio: 'ignore' })
  const documents = new Map<string, Described>()
  const reasons = new Map<string, string[]>()
  const counts = { compared: 0, undescribed: 0, wrong: 0 }
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl')))
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean)) {
      const recorded = JSON.parse(line) as Recorded
      const described =
        documents.get(recorded.document) ?? describedBy(readFileSync(join(folder, recorded.document), 'utf8'))
      documents.set(recorded.document, described)
      if (documents.size > 20) documents.delete([...documents.keys()][0]!)
      const why = mismatch(recorded, described)
      if (why === UNDESCRIBED) counts.undescribed += 1
      else counts.compared += 1
      if (why === null || why === UNDESCRIBED) continue
      counts.wrong += 1
      const key = `${recorded.method} ${recorded.path.replaceAll(/\d+|[\da-f]{8}-[\da-f-]{27}/gu, '…')}: ${why}`
      reasons.set(key, [...(reasons.get(key) ?? []), recorded.query])
    }
  for (const [why, queries] of [...reasons].slice(0, SHOWN))
    console.log(`${queries.length} × ${why}   ${decodeURIComponent(queries[0] ?? '').slice(0, 160)}`)
  console.log(
    `${counts.compared} responses compared, ${counts.wrong} mismatches; ${counts.undescribed} were not described`,
  )
  if (counts.wrong > 0 || counts.compared === 0) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
