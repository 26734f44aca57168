// npm run verify try
// `npx tain <url>` with the package installed from its tarball in an empty folder, on the awkward fixture: the time to the
// first JSON, and what the database itself logged and holds afterwards.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { install } from '../../scripts/package/install.ts'
import { pack } from '../../scripts/package/pack.ts'
import { startCluster } from '../lib/postgres-cluster.ts'
import { connect } from '../lib/databases.ts'
import { freePort } from '../lib/free-port.ts'
import { readEverything } from '../service/catalogue.ts'
import { loadFixture } from '../service/fixture.ts'

const RUNS = 7
const BOUND = 2000
const READING = /^(?:select|with|show|begin|start transaction|commit|rollback|set|discard|deallocate)\b/iu
const CHANGING = /\b(?:insert into|update|delete from|nextval|setval|pg_advisory\w*lock)\b/iu

/** Milliseconds from the command to the end of the first response. */
async function timeToJson(folder: string, url: string): Promise<number> {
  const began = performance.now()
  const child = spawn('npx', ['tain', url, '--port', String(await freePort())], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  let text = ''
  for await (const chunk of child.stderr.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk
    const [, header, address] = /curl -H 'Authorization: ([^']+)' \\?\s*'([^']+)'/u.exec(text) ?? []
    if (header === undefined || address === undefined) continue
    const body = (await (await fetch(address, { headers: { authorization: header } })).json()) as { data?: unknown[] }
    const milliseconds = performance.now() - began
    if (body.data?.length === undefined) throw new Error('the first response has no data')
    const closed = once(child, 'close')
    process.kill(-(child.pid ?? 0), 'SIGINT')
    child.stderr.destroy()
    await closed
    return milliseconds
  }
  throw new Error(`the run did not start\n${text}`)
}

/** The statements in a log of PostgreSQL; continued lines begin with a tab. */
const statementsIn = (log: string): string[] =>
  log
    .replaceAll('\n\t', ' ')
    .split('\n')
    .flatMap((line) => /LOG: +(?:statement|execute [^:]*): (.*)$/u.exec(line)?.[1]?.trim() ?? [])

const folder = await mkdtemp(join(tmpdir(), 'tain-verify-try-'))
const cluster = await startCluster({ log_statement: 'all' })
try {
  const installed = join(folder, 'installed')
  install(installed, await pack(join(folder, 'tarballs')))
  await loadFixture({ dialect: 'postgres', url: cluster.url })
  const { query, close } = await connect(cluster.url)
  const database = { dialect: 'postgres', url: cluster.url, name: 'postgres', query, drop: close } as const
  const before = await readEverything(database)
  const logged = (await cluster.log()).length
  const times = []
  for (let run = 0; run < RUNS; run += 1) times.push(await timeToJson(installed, cluster.url))
  const statements = statementsIn((await cluster.log()).slice(logged))
  const isEqual = JSON.stringify(await readEverything(database)) === JSON.stringify(before)
  await close()

  const writing = statements.filter((text) => !READING.test(text) || CHANGING.test(text.replaceAll(/'[^']*'/gu, "''")))
  const sorted = times.toSorted((a, b) => a - b).map(Math.round)
  const median = sorted[Math.floor(RUNS / 2)] ?? Infinity
  console.log(`first JSON after ${median} ms (median of ${RUNS}: ${sorted.join(', ')}; at most ${BOUND})`)
  console.log(`${statements.length} statements in the log of PostgreSQL, ${writing.length} of them write`)
  for (const text of writing) console.log(`  ${text.slice(0, 200)}`)
  console.log(`catalogue and rows are ${isEqual ? 'the same' : 'DIFFERENT'} afterwards`)
  if (median > BOUND || writing.length > 0 || !isEqual || statements.length === 0) process.exitCode = 1
} finally {
  await cluster.destroy()
  await rm(folder, { recursive: true })
}
