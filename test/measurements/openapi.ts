// npm run verify openapi
// The OpenAPI document of 5,000 tables, alongside other requests, and the page about it in a browser.
import { setTimeout as sleep } from 'node:timers/promises'
import { withDatabase } from '../lib/databases.ts'
import { measureReference } from './reference-page.ts'
import { fill } from './scale-tables.ts'
import { authorization, memoryOf, TOKEN, untilReady, withService, type Figure, type Service } from './service.ts'

const TABLES = 5000

interface Document {
  readonly paths: Readonly<Record<string, unknown>>
}

/** The longest time that small requests wait while the work runs. */
async function longestWait({ url }: Service, work: () => Promise<unknown>): Promise<number> {
  const state = { isOver: false, longest: 0 }
  const asking = (async () => {
    while (!state.isOver) {
      const began = performance.now()
      await (await fetch(`${url}/server/ping`)).text()
      state.longest = Math.max(state.longest, performance.now() - began)
      await sleep(5)
    }
  })()
  await work()
  state.isOver = true
  await asking
  return state.longest
}

export const measureOpenapi = (): Promise<readonly Figure[]> =>
  withDatabase(async (database) => {
    await fill(database, TABLES)
    return withService(
      { DATABASE_URL: database.url, LOG_LEVEL: 'warn', DB_SCHEMAS: 'public,wide' },
      async (service) => {
        await untilReady(service)
        const before = memoryOf(service).rss
        const address = `${service.url}/server/specs/oas`
        const times: number[] = []
        let tag = ''
        let text = ''
        const read = async () => {
          const began = performance.now()
          const answer = await fetch(address, { headers: authorization })
          tag = answer.headers.get('etag') ?? ''
          text = await answer.text()
          times.push(performance.now() - began)
        }
        const wait = await longestWait(service, read)
        const waitAgain = await longestWait(service, read)
        const began = performance.now()
        const unchanged = await fetch(address, { headers: { ...authorization, 'if-none-match': tag } })
        const unchangedAfter = performance.now() - began
        if (unchanged.status !== 304) throw new Error(`the document has changed: ${unchanged.status}`)
        const items = Object.keys((JSON.parse(text) as Document).paths).filter((path) => path.startsWith('/items/'))
        return [
          { what: 'collections described', value: items.length / 2, unit: '', bound: { atLeast: TABLES } },
          { what: 'size of the document', value: text.length / 1024 ** 2, unit: 'MB' },
          { what: 'first document', value: times[0] ?? 0, unit: 'ms' },
          { what: 'longest wait of others meanwhile', value: wait, unit: 'ms', bound: { atMost: 250 } },
          { what: 'the same document again', value: times[1] ?? 0, unit: 'ms' },
          { what: 'longest wait of others meanwhile', value: waitAgain, unit: 'ms', bound: { atMost: 250 } },
          { what: 'not changed', value: unchangedAfter, unit: 'ms' },
          { what: 'memory before', value: before, unit: 'MB' },
          { what: 'memory afterwards', value: memoryOf(service).peak, unit: 'MB' },
          ...(await measureReference(service.url, TOKEN)),
        ]
      },
    )
  }, 'postgres')
