// npm run verify app-start [-- --dialect mysql]
// GET /server/app with 5,000 tables: its size, compressed, and how long it takes.
import { request } from 'node:http'
import { withDatabase, type TestDialect } from '../lib/databases.ts'
import { fill } from './scale-tables.ts'
import { median, TOKEN, untilReady, withService, type Figure, type Service } from './service.ts'

export interface AppStartOptions {
  readonly dialect: TestDialect
  readonly tables: number
  readonly repeats: number
}

interface Answer {
  readonly bytes: number
  readonly milliseconds: number
  readonly status: number
  readonly etag: string
}

/** Without the decompression that fetch does by itself. */
const ask = ({ url }: Service, headers: Readonly<Record<string, string>>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const start = performance.now()
    const all = { authorization: `Bearer ${TOKEN}`, ...headers }
    request(`${url}/server/app`, { headers: all }, (response) => {
      let bytes = 0
      response.on('data', (piece: Buffer) => (bytes += piece.length))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          bytes,
          milliseconds: performance.now() - start,
          status: response.statusCode ?? 0,
          etag: response.headers.etag ?? '',
        }),
      )
    })
      .on('error', reject)
      .end()
  })

export const appStart = ({ dialect, tables, repeats }: AppStartOptions): Promise<readonly Figure[]> =>
  withDatabase(async (database) => {
    await fill(database, tables)
    return withService({ DATABASE_URL: database.url }, async (service) => {
      await untilReady(service)
      const first = await ask(service, { 'accept-encoding': 'br' })
      const times: number[] = []
      const unchanged: number[] = []
      for (let index = 0; index < repeats; index += 1) {
        times.push((await ask(service, { 'accept-encoding': 'br' })).milliseconds)
        const again = await ask(service, { 'if-none-match': first.etag })
        if (again.status !== 304) throw new Error(`answered ${again.status} instead of 304`)
        unchanged.push(again.milliseconds)
      }
      const what = `${dialect}, ${tables} tables`
      return [
        { what: `${what}: size`, value: (await ask(service, {})).bytes / 1000, unit: 'KB' },
        {
          what: `${what}: size with gzip`,
          value: (await ask(service, { 'accept-encoding': 'gzip' })).bytes / 1000,
          unit: 'KB',
        },
        { what: `${what}: size with Brotli`, value: first.bytes / 1000, unit: 'KB', bound: { atMost: 60 } },
        { what: `${what}: first response`, value: first.milliseconds, unit: 'ms' },
        { what: `${what}: later ones, median of ${repeats}`, value: median(times), unit: 'ms' },
        { what: `${what}: 304, median of ${repeats}`, value: median(unchanged), unit: 'ms' },
      ]
    })
  }, dialect)
