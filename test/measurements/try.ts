// npm run verify:try
// The time from the command to the first JSON: `tain <file>` on the demo shop, with each start as a new process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../property/free-port.ts'

const PROGRAM = fileURLToPath(new URL('../../packages/server/bin/tain.js', import.meta.url))
const RUNS = 5

const tain = (...args: string[]) => spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })

/** Milliseconds from the start of the process to the end of the first response. */
async function timeToJson(url: string): Promise<number> {
  const began = performance.now()
  const child = tain(url, '--port', String(await freePort()))
  let text = ''
  for await (const chunk of child.stderr.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk
    const [, header, address] = /curl -H 'Authorization: ([^']+)' '([^']+)'/u.exec(text) ?? []
    if (header === undefined || address === undefined) continue
    await (await fetch(address, { headers: { authorization: header } })).json()
    const milliseconds = performance.now() - began
    const closed = once(child, 'close')
    child.kill('SIGINT')
    child.stderr.destroy()
    await closed
    return milliseconds
  }
  throw new Error(`the run did not start\n${text}`)
}

const folder = await mkdtemp(join(tmpdir(), 'tain-verify-try-'))
try {
  const file = join(folder, 'shop.db')
  await once(tain('demo', '--out', file), 'close')
  const times = []
  for (let run = 0; run < RUNS; run += 1) times.push(await timeToJson(process.argv[2] ?? file))
  const sorted = times.toSorted((a, b) => a - b).map(Math.round)
  process.stdout.write(
    `first JSON after ${sorted[Math.floor(RUNS / 2)]} ms (median of ${RUNS}: ${sorted.join(', ')})\n`,
  )
} finally {
  await rm(folder, { recursive: true })
}
