import { expect, test } from 'vitest'
import { postgres } from '../dialects/postgres/index.ts'
import { DatabaseError, type Driver, type Statement, type Transaction } from '../driver.ts'
import { placeholder } from '../bind.ts'
import { sql, table } from '../sql.ts'
import { createServiceStatements, inTransaction } from './run-service-statement.ts'

const roles = (schema: string) =>
  sql`select name from ${table(schema, 'service_roles')} where id = ${placeholder(0, String)}`
const users = (schema: string) => sql`select email from ${table(schema, 'service_users')}`

const stale = () => new DatabaseError('schema-changed', 'cached plan must not change result type')

/** Collects the statements that it is sent; `fails` says which of them are refused. */
function stage(fails: (statement: Statement) => Error | null = () => null) {
  const sent: Statement[] = []
  const query = async (statement: Statement) => {
    sent.push(statement)
    const error = fails(statement)
    if (error !== null) throw error
    return [['row']]
  }
  const driver = {
    query,
    transaction: <T>(work: (transaction: Transaction) => Promise<T>) => work({ query }),
  } as unknown as Driver
  const database = { driver, dialect: postgres }
  return { sent, driver, ask: createServiceStatements(database, 'tain'), database }
}

const namesOf = (sent: readonly Statement[]) => sent.map(({ name }) => name)

test('a statement has a name from its second use on, the same in every store', async () => {
  const { sent, ask, database } = stage()
  for (let turn = 0; turn < 3; turn += 1) await ask(roles, ['1'])
  const [first, second, third] = namesOf(sent)
  expect(first).toBeUndefined()
  expect(second).toMatch(/^s[\w-]{22}$/u)
  expect(third).toBe(second)
  const other = createServiceStatements(database, 'tain')
  for (let turn = 0; turn < 2; turn += 1) await other(roles, ['2'])
  expect(sent.at(-1)).toEqual({ text: sent[0]?.text, values: ['2'], name: second })
})

test('different texts have different names: other tables, another schema', async () => {
  const { sent, ask, database } = stage()
  const elsewhere = createServiceStatements(database, 'elsewhere')
  for (let turn = 0; turn < 2; turn += 1) for (const each of [ask, elsewhere]) await each(roles, ['1'])
  for (let turn = 0; turn < 2; turn += 1) await ask(users)
  const names = namesOf(sent).filter((name) => name !== undefined)
  expect(new Set(names).size).toBe(3)
})

test('statements that are built for one call are never named', async () => {
  const { sent, ask } = stage()
  for (let turn = 0; turn < 100; turn += 1) await ask((schema) => roles(schema), [String(turn)])
  expect(new Set(namesOf(sent))).toEqual(new Set([undefined]))
})

test('a statement whose table has changed since it was prepared runs once more', async () => {
  let failures = 1
  const { sent, ask } = stage(({ name }) => (name !== undefined && failures-- > 0 ? stale() : null))
  await ask(roles, ['1'])
  expect(await ask(roles, ['1'])).toEqual([['row']])
  expect(sent).toHaveLength(3)
})

test('a statement that fails again, or for another reason, fails', async () => {
  const always = stage(({ name }) => (name === undefined ? null : stale()))
  await always.ask(roles, ['1'])
  await expect(always.ask(roles, ['1'])).rejects.toMatchObject({ fault: 'schema-changed' })
  expect(always.sent).toHaveLength(3)
  const refused = stage(({ name }) => (name === undefined ? null : new DatabaseError('unique', 'taken')))
  await refused.ask(roles, ['1'])
  await expect(refused.ask(roles, ['1'])).rejects.toMatchObject({ fault: 'unique' })
  expect(refused.sent).toHaveLength(2)
})

test('within a transaction the whole transaction runs again', async () => {
  let failures = 1
  const { sent, driver, ask } = stage(({ name }) => (name !== undefined && failures-- > 0 ? stale() : null))
  const work = async (transaction: Transaction) => {
    await ask(users, [], transaction)
    return ask(roles, ['1'], transaction)
  }
  await inTransaction(driver, work)
  sent.length = 0
  failures = 1
  expect(await inTransaction(driver, work)).toEqual([['row']])
  // The first statement is refused; then both run.
  expect(sent).toHaveLength(3)
})
