import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../packages/server/src/schema/migrate.ts'
import { createSchemaCache } from '../../packages/server/src/schema/schema-cache.ts'
import { run, type Database } from '../../packages/server/src/sql/database.ts'
import { connectDatabase } from '../../packages/server/src/sql/dialects/index.ts'
import { systemCollections } from '../../packages/server/src/system/collections/index.ts'
import { closeDatabase, connectOptions } from '../lib/connection.ts'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'

describe.each(testDialects)('on %s', (dialect) => {
  let origin: TestDatabase
  let database: Database
  let systemSchema = ''

  beforeAll(async () => {
    origin = await createDatabase(dialect)
    database = await connectDatabase(connectOptions(origin.url))
    systemSchema = database.systemSchema('tain')
    await migrate(database, systemSchema)
  })
  afterAll(async () => {
    await closeDatabase(database)
    await origin.drop()
  })

  test('a schema never has the version of a change that its structure lacks', async () => {
    let changed: number | null = null
    const interrupted: Database = {
      ...database,
      async introspect(...given) {
        const found = await database.introspect(...given)
        if (changed === null) {
          await origin.query('create table late (id integer primary key)')
          const { serviceTables, schemaDriver, dialect: words } = database
          const bumped = await schemaDriver.transaction((transaction) =>
            run(serviceTables.bump(systemSchema), transaction, words),
          )
          changed = Number(bumped[0]?.[0])
        }
        return found
      },
    }
    const cache = createSchemaCache(interrupted, {
      systemSchema,
      schemas: null,
      isReadOnly: false,
      pollInterval: 3_600_000,
      observe: () => undefined,
      systemCollections,
      storesNames: false,
    })
    try {
      await cache.reload()
      expect(changed).not.toBeNull()
      expect((await cache.atLeast(changed!)).collections.has('late')).toBe(true)
    } finally {
      await cache.stop()
    }
  })
})
