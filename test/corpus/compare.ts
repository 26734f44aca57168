// npm run verify corpus [-- --only name,name] [--check name,name] [--twice] [--seed 7] [--serve name]
// Compares everything that the service returns from real databases with plain SQL.
import { once } from 'node:events'
import { interruption } from '../lib/throwaway.ts'
import { startService } from '../lib/service.ts'
import { checks, isCheck, type CheckName } from './checks/index.ts'
import { crawl, type Crawl } from './crawl.ts'
import { corpus, hasCorpus, withLoaded, type CorpusDatabase } from './databases.ts'
import { judge } from './known.ts'
import { summaryOf, tableOf } from './report.ts'
import { crawlTwice } from './twice.ts'

interface Choice {
  /** Names of databases, with commas. */
  readonly only: string | null
  /** Names of checks, with commas. */
  readonly check: string | null
  readonly seed: number | null
  /** Loads and serves one database. */
  readonly serve: string | null
  /** Asks the same before and after unrelated tables are added. */
  readonly twice: boolean
}

const split = (text: string | null): readonly string[] | null => text?.split(',') ?? null

function chosenDatabases(only: string | null): readonly CorpusDatabase[] {
  const names = split(only)
  const unknown = names?.filter((name) => !corpus.some((each) => each.name === name)) ?? []
  if (unknown.length > 0)
    throw new Error(`no database ${unknown.join(', ')}; there are ${corpus.map(({ name }) => name).join(', ')}`)
  if (!hasCorpus) console.log('../shared/corpus is not there: only the databases of test/corpus are crawled')
  return corpus.filter(({ name, isOwn }) => (hasCorpus || isOwn) && (names === null || names.includes(name)))
}

function chosenChecks(check: string | null): readonly CheckName[] {
  const names = split(check) ?? Object.keys(checks)
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

export async function compareCorpus(choice: Choice): Promise<{ readonly failures: readonly string[] }> {
  if (choice.serve !== null) {
    await serve(choice.serve)
    return { failures: [] }
  }
  const options = { checks: chosenChecks(choice.check), seed: choice.seed ?? Date.now() % 100_000 }
  console.log(`seed ${options.seed}`)
  const crawls: Crawl[] = []
  for (const each of chosenDatabases(choice.only)) {
    const began = performance.now()
    const done = await withLoaded(each, (database) =>
      choice.twice ? crawlTwice(each, database, options.seed) : crawl(each, database, options),
    )
    console.log(`${tableOf(done)}\n  ${((performance.now() - began) / 1000).toFixed(1)} s with loading\n`)
    crawls.push(done)
  }
  const judged = judge(crawls)
  console.log(summaryOf(judged))
  const count = judged.unknown.length + judged.stale.length
  return { failures: count === 0 ? [] : [`${count} differences that are not known, or known ones that are gone`] }
}
