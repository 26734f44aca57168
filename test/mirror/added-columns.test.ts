import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../packages/server/src/schema/migrate.ts'
import { run, type Database } from '../../packages/server/src/sql/database.ts'
import { connectDatabase } from '../../packages/server/src/sql/dialects/index.ts'
import { systemCollections } from '../../packages/server/src/system/collections/index.ts'
import { closeDatabase, connectOptions } from '../lib/connection.ts'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'

/** Columns that tables in use get from a migration, with the value that their rows have then. */
const added = [
  ['service_settings', 'storage_asset_transform_public', 'presets'],
  ['service_users', 'link_version', '0'],
] as const

describe.each(testDialects)('on %s', (dialect) => {
  let origin: TestDatabase
  let database: Database
  let schema = ''

  beforeAll(async () => {
    origin = await createDatabase(dialect)
    database = await connectDatabase(connectOptions(origin.url))
    schema = database.systemSchema('tain')
    await migrate(database, schema, systemCollections)
    const users = dialect === 'postgres' ? `${schema}.service_users` : 'service_users'
    await origin.query(`insert into ${users} (id) values ('5f3c0d4e-6a0b-4c0e-9a43-8f4b1c9d2e10')`)
  })
  afterAll(async () => {
    await closeDatabase(database)
    await origin.drop()
  })

  test.each(added)('%s of a database in use gets %s', async (table, column, value) => {
    const { dialect: statements, schemaDriver, serviceTables } = database
    const name = dialect === 'postgres' ? `${schema}.${table}` : table
    const shown = async () => (await origin.query(`select ${column} from ${name}`)).map(([found]) => found)
    const before = await shown()
    expect(before).toEqual([value])
    const step = serviceTables
      .migrations(schema, systemCollections, true)
      .findLast((each) => each.some((query) => statements.compile(query).text.includes(column)))
    await schemaDriver.transaction(async (transaction) => {
      await transaction.query({ text: `alter table ${name} drop column ${column}`, values: [] })
      for (const query of step ?? []) await run(query, transaction, statements)
    })
    expect(await shown()).toEqual(before)
  })
})
