// Shared by the tests of schema management: a service on its own database, and short helpers to query both.
import { afterAll, beforeAll } from 'vitest'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import {
  codeOf,
  dataOf,
  openService,
  type Answer,
  type Environment,
  type RequestOptions,
  type Service,
} from '../lib/service.ts'

export interface Stage {
  readonly service: () => Service
  readonly query: TestDatabase['query']
  readonly url: () => string
  readonly send: (method: string, path: string, body?: unknown, options?: RequestOptions) => Promise<Answer>
  /** The data of a successful response. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<unknown>
  /** Status and code of an error response. */
  readonly refusal: (method: string, path: string, body?: unknown) => Promise<readonly [number, string | undefined]>
  /** The plan of a dry run. */
  readonly plan: (method: string, path: string, body?: unknown) => Promise<Plan>
  /** The first value of the first row. */
  readonly value: (text: string) => Promise<string | null | undefined>
  /** Type, nullability, default, length, comment; undefined if the column does not exist. */
  readonly column: (table: string, column: string) => Promise<readonly (string | null)[] | undefined>
}

export interface Plan {
  readonly statements: readonly {
    readonly sql: string
    readonly lock: string
    readonly rewrites: boolean
    readonly scans: boolean
    readonly rows: number
  }[]
  readonly rows: number
  readonly blocks: readonly { readonly code: string; readonly field: string | null; readonly count: number }[]
}

export const rehearsal = { headers: { prefer: 'tx=rollback' } }

/** Registers the hooks of a test file. */
export function stage(structure: string, environment: Environment = {}): Stage {
  let database: TestDatabase
  let service: Service
  beforeAll(async () => {
    database = await createDatabase()
    await database.query(structure)
    service = await openService({ DATABASE_URL: database.url, ...environment })
  })
  afterAll(async () => {
    await service.stop()
    await database.drop()
  })
  const send: Stage['send'] = (method, path, body, options) => service.send(method, path, body, options)
  return {
    service: () => service,
    query: (statement) => database.query(statement),
    url: () => database.url,
    send,
    ask: async (method, path, body) => dataOf(await send(method, path, body)),
    async refusal(method, path, body) {
      const answer = await send(method, path, body)
      return [answer.status, codeOf(answer)]
    },
    async plan(method, path, body) {
      const answer = await send(method, path, body, rehearsal)
      if (answer.headers.get('preference-applied') !== 'tx=rollback') throw new Error(`not a plan: ${answer.text}`)
      return dataOf(answer) as Plan
    },
    value: async (text) => (await database.query(text))[0]?.[0],
    column: async (table, column) =>
      (
        await database.query({
          text: `select data_type, is_nullable, column_default, character_maximum_length::text,
              col_description(format('%I.%I', table_schema, table_name)::regclass, ordinal_position)
            from information_schema.columns where table_name = $1 and column_name = $2`,
          values: [table, column],
        })
      )[0],
  }
}
