import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from './versions.ts'

const top = join(import.meta.dirname, '../..')
export const hook = join(import.meta.dirname, 'hook.ts')

export interface AreaResult {
  readonly passed: number
  readonly failed: number
  readonly waiting: number
  readonly output: string
}

/** Runs the acceptance suite's area of the client with one of its versions. */
export async function runArea(client: Client, areas = 'sdk'): Promise<AreaResult> {
  const summary = join(tmpdir(), `tain-directus-sdk-${process.pid}.json`)
  const env = { ...process.env, DIRECTUS_SDK: client, NODE_OPTIONS: `--import=${hook}` }
  const child = spawn(process.execPath, ['scripts/acceptance.ts', areas, '--summary', summary], { cwd: top, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  await once(child, 'close')
  try {
    return { ...(JSON.parse(readFileSync(summary, 'utf8')) as Omit<AreaResult, 'output'>), output }
  } catch {
    throw new Error(`the suite did not run\n${output}`)
  } finally {
    rmSync(summary, { force: true })
  }
}
