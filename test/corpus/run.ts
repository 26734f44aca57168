// npm run verify corpus [-- --only name,name] [--check name,name] [--twice] [--seed 7] [--serve name]
// Compares everything that the service returns from real databases with plain SQL.
import { parseArgs } from 'node:util'
import { once } from 'node:events'
import { interruption } from '../lib/throwaway.ts'
import { startService } from '../lib/service.ts'
import { checks, isCheck, type CheckName } from './checks/index.ts'
import { crawl, type Crawl } from './crawl.ts'
import { corpus, hasCorpus, withLoaded, type CorpusDatabase } from './databases.ts'
import { judge } from './known.ts'
import { summaryOf, tableOf } from './report.ts'
import { crawlTwice } from './twice.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    check: { type: 'string' },
    seed: { type: 'string' },
    serve: { type: 'string' },
    twice: { type: 'boolean', default: false },
  },
})

const split = (text: string | undefined): readonly string[] | null => text?.split(',') ?? null

function chosenDatabases(): readonly CorpusDatabase[] {
  const names = split(values.only)
  const unknown = names?.filter((name) => !corpus.some((each) => each.name === name)) ?? []
  if (unknown.length > 0)
    throw new Error(`no database ${unknown.join(', ')}; there are ${corpus.map(({ name }) => name).join(', ')}`)
  if (!hasCorpus) console.log('../shared/corpus is not there: only the databases of test/corpus are crawled')
  return corpus.filter(({ name, isOwn }) => (hasCorpus || isOwn) && (names === null || names.includes(name)))
}

function chosenChecks(): readonly CheckName[] {
  const names = split(values.check) ?? Object.keys(checks)
  const unknown = names.filter((name) => !isCheck(name))
  if (unknown.length > 0) throw new Error(`no check ${unknown.join(', ')}; there are ${Object.keys(checks).join(', ')}`)
  return names.filter(isCheck)
}

/** Keeps a database served, for the curl lines of a report. */
async function serve(name: string): Promise<void> {
  const each = corpus.find((database) => database.name === name)
  if (each === undefined) throw new Error(`no database ${name}`)
  await withLoaded(each, async ({ url }) => {
    const service = await startService({ DATABASE_URL: url, LOG_LEVEL: 'warn' })
    console.log(`export TAIN=${service.url}   # ${name}, ${url}; Ctrl-C ends it`)
    await once(interruption(), 'abort')
    console.log(service.log())
    await service.stop()
  })
}

async function main(): Promise<number> {
  if (values.serve !== undefined) {
    await serve(values.serve)
    return 0
  }
  const options = { checks: chosenChecks(), seed: Number(values.seed ?? Date.now() % 100_000) }
  console.log(`seed ${options.seed}`)
  const crawls: Crawl[] = []
  for (const each of chosenDatabases()) {
    const began = performance.now()
    const done = await withLoaded(each, (database) =>
      values.twice ? crawlTwice(each, database, options.seed) : crawl(each, database, options),
    )
    console.log(`${tableOf(done)}\n  ${((performance.now() - began) / 1000).toFixed(1)} s with loading\n`)
    crawls.push(done)
  }
  const judged = judge(crawls)
  console.log(summaryOf(judged))
  return judged.unknown.length + judged.stale.length === 0 ? 0 : 1
}

process.exitCode = await main()
