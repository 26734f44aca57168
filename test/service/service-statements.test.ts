// Every statement on the service's own tables finds the tables and columns that it names.
import { describe, expect, test } from 'vitest'
import { migrate } from '../../packages/server/src/schema/migrate.ts'
import { isPlaceholder } from '../../packages/server/src/sql/bind.ts'
import { runSteps, type Database } from '../../packages/server/src/sql/database.ts'
import { connectDatabase } from '../../packages/server/src/sql/dialects/index.ts'
import { tables } from '../../packages/server/src/sql/service/tables.ts'
import { stepsOf, type Steps } from '../../packages/server/src/sql/sql.ts'
import { systemCollections } from '../../packages/server/src/system/collections/index.ts'
import { closeDatabase, connectOptions } from '../lib/connection.ts'
import { createDatabase, testDialects } from '../lib/databases.ts'

type Make = (schema: string, ...more: readonly unknown[]) => Steps | null

const name = { kind: 'field', collection: 'c', subject: 's', name: 'n', instead: null }
const step = { kind: 'index', schema: 's', table: 't', name: 'n' }

/** What statements take beside the schema. */
const given: Readonly<Record<string, readonly unknown[]>> = {
  'serviceTables.migrated': ['0001-tables'],
  'serviceTables.writeNames': [[name]],
  'serviceTables.steps.write': [[step]],
  'serviceTables.steps.remove': ['1'],
  'events.writers': ['service_events', false],
}

/** Statements on any table, and parts of a start. */
const others = new Set(
  ['insert', 'put', 'update', 'remove', 'rows', 'count', 'cells'].map((each) => `serviceTables.${each}`),
)
const start = new Set(['writer', 'lock', 'state', 'createSchema', 'snapshot'].map((each) => `serviceTables.${each}`))

function statementsOf(database: Database, schema: string): Map<string, Steps> {
  const { serviceTables, identity, sessions, loginFailures, oneTime, uploads, events, deliveries } = database
  const { leases, cursors, watch, guards, dialect, outside } = database
  const { recordChanges, claim, claimed, answered } = dialect
  const { mark, moveMark, setMark, switches, setSwitch, removeSwitch } = outside
  const families = {
    serviceTables,
    identity,
    sessions,
    loginFailures,
    oneTime,
    uploads,
    events,
    deliveries,
    leases,
    cursors,
    watch,
    guards,
    dialect: { recordChanges, claim, claimed, answered },
    outside: { mark, moveMark, setMark, switches, setSwitch, removeSwitch },
  }
  const found = new Map<string, Steps>()
  const add = (at: string, member: unknown): void => {
    if (others.has(at) || start.has(at) || member === null) return
    if (typeof member === 'function') {
      const steps = (member as Make)(schema, ...(given[at] ?? []))
      if (steps !== null) found.set(at, steps)
    } else for (const [key, each] of Object.entries(member as object)) add(`${at}.${key}`, each)
  }
  for (const [family, members] of Object.entries(families)) add(family, members)
  for (const collection of systemCollections.filter(({ columns }) => 'id' in columns))
    found.set(`rows of ${collection.name}`, serviceTables.rows(schema, collection))
  for (const [table, { columns }] of Object.entries(tables))
    found.set(`cells of ${table}`, serviceTables.cells(schema, table, Object.keys(columns), []))
  return found
}

const isExplained = (text: string) => /^\s*(?:select|insert|update|delete|with)\b/iu.test(text)

describe.each(testDialects)('statements of the service on %s', (dialect) => {
  test('name tables and columns that migrations make', async () => {
    const origin = await createDatabase(dialect)
    const database = await connectDatabase(connectOptions(origin.url))
    try {
      const schema = database.systemSchema('tain')
      await migrate(database, schema)
      const failed: string[] = []
      let count = 0
      for (const [at, steps] of statementsOf(database, schema))
        for (const each of stepsOf(steps)) {
          const { text, binds } = database.dialect.compile(each)
          if (!isExplained(text)) continue
          count += 1
          const statement = {
            text: `explain ${text}`,
            values: binds.map((bind) => (isPlaceholder(bind) ? null : bind)),
          }
          await runSteps([statement], database.driver).catch((error: unknown) => {
            failed.push(`${at}: ${(error as Error).message}`)
          })
        }
      expect(failed).toEqual([])
      expect(count).toBeGreaterThan(150)
    } finally {
      await closeDatabase(database)
      await origin.drop()
    }
  })
})
