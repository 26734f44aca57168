import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase } from '../../packages/server/src/sql/dialects/index.ts'
import type { Database } from '../../packages/server/src/sql/database.ts'
import { createServiceStatements, inTransaction } from '../../packages/server/src/sql/service/run-service-statement.ts'
import { sql, table } from '../../packages/server/src/sql/sql.ts'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'

let tested: TestDatabase
const opened: Database[] = []

beforeAll(async () => {
  tested = await createDatabase('postgres')
})
afterAll(async () => {
  for (const { driver, schemaDriver, backgroundDriver } of opened)
    await Promise.all([driver.close(), schemaDriver.close(), backgroundDriver.close()])
  await tested.drop()
})

async function open(preparedStatements: number): Promise<Database> {
  const database = await connectDatabase({
    url: tested.url,
    poolMax: 1,
    acquireTimeout: 5000,
    statementTimeout: 5000,
    lockTimeout: 5000,
    connectTimeout: 5000,
    preparedStatements,
    applicationName: 'tain',
  })
  opened.push(database)
  return database
}

const names = (schema: string) => sql`select name from ${table(schema, 'service_roles')}`
const prepared = () =>
  sql`select count(*) from pg_prepared_statements where statement like '%service_roles%' and name <> ''`

/** The table as an older version of the service has made it. */
const before = `drop schema if exists tain cascade; create schema tain; create table tain.service_roles (name varchar(10));
  insert into tain.service_roles values ('1')`
const migration = 'alter table tain.service_roles alter column name type integer using name::integer'

test('a migration may change a table while statements on it are prepared', async () => {
  await tested.query(before)
  const database = await open(200)
  const ask = createServiceStatements(database, 'tain')
  for (let turn = 0; turn < 3; turn += 1) expect(await ask(names)).toEqual([['1']])
  expect(await ask(prepared)).toEqual([['1']])
  await tested.query(migration)
  expect(await ask(names)).toEqual([['1']])
})

test('also within a transaction', async () => {
  await tested.query(before)
  const database = await open(200)
  const ask = createServiceStatements(database, 'tain')
  const work = () => inTransaction(database.driver, (transaction) => ask(names, [], transaction))
  for (let turn = 0; turn < 3; turn += 1) expect(await work()).toEqual([['1']])
  await tested.query(migration)
  expect(await work()).toEqual([['1']])
})

test('without prepared statements none has a name on the server', async () => {
  await tested.query(before)
  const ask = createServiceStatements(await open(0), 'tain')
  for (let turn = 0; turn < 3; turn += 1) expect(await ask(names)).toEqual([['1']])
  expect(await ask(prepared)).toEqual([['0']])
})
