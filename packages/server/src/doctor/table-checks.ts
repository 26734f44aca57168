import type { DatabaseTable } from '../sql/database-schema.ts'
import type { Database } from '../sql/database.ts'
import { DatabaseError } from '../sql/driver.ts'
import { warning, type DatabaseExamination, type Finding } from './check.ts'

const isView = ({ kind }: DatabaseTable) => kind === 'view' || kind === 'materialized-view'
const refOf = ({ schema, name }: DatabaseTable) => ({ schema, table: name })
const nameOf = ({ schema, name }: DatabaseTable) => `${schema}.${name}`

export async function keys({ schema, database }: DatabaseExamination): Promise<readonly Finding[]> {
  return (await schema()).tables
    .filter((table) => !isView(table) && table.primaryKey.length === 0)
    .map((table) =>
      warning(`${nameOf(table)} has no primary key and is read-only.`, database.diagnosis.addKey(refOf(table))),
    )
}

/** Views that take too long are not reported: they work. */
const slow = new Set(['unavailable', 'timeout', 'too-slow'])

/** Why one row of the view cannot be read; null if it can, also if reading it writes. */
async function faultOf(table: DatabaseTable, { driver, diagnosis }: Database): Promise<string | null> {
  try {
    await driver.transaction(async (transaction) => {
      await transaction.query(diagnosis.readOnly.begin)
      await transaction.query(diagnosis.readOne(refOf(table)))
    }, 'read')
    return null
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    return slow.has(error.fault) || error.databaseCode === diagnosis.readOnly.refusal ? null : error.message
  }
}

export async function views({ schema, database }: DatabaseExamination): Promise<readonly Finding[]> {
  const { tables, hidden } = await schema()
  const found: Finding[] = []
  const failing = (name: string, fault: string) =>
    found.push(warning(`The view ${name} fails: ${fault}.`, `Correct or drop it: drop view ${name};`))
  for (const table of tables.filter(isView)) {
    const fault = await faultOf(table, database)
    if (fault !== null) failing(nameOf(table), fault)
  }
  if (database.diagnosis.grantSelect === null)
    for (const { schema: of, table, column, reason } of hidden) if (column === null) failing(`${of}.${table}`, reason)
  return found
}

/** An index helps if its first columns are those of the key, in any order; one column of them is enough to say so. */
const isIndexed = ({ primaryKey, uniques, indexed }: DatabaseTable, columns: readonly string[]): boolean =>
  [...indexed, primaryKey[0], ...uniques.map(([first]) => first)].some(
    (first) => first !== undefined && columns.includes(first),
  )

export async function indexes({ schema, database }: DatabaseExamination): Promise<readonly Finding[]> {
  return (await schema()).tables.flatMap((table) =>
    table.foreignKeys
      .filter(({ columns }) => !isIndexed(table, columns))
      .map(({ columns, toTable }) =>
        warning(
          `The foreign key ${nameOf(table)} (${columns.join(', ')}) to ${toTable} has no index: reading that relation and deleting from ${toTable} scan the table.`,
          database.diagnosis.createIndex(refOf(table), columns),
        ),
      ),
  )
}

export async function statistics({ database, query }: DatabaseExamination): Promise<readonly Finding[]> {
  const { unanalysed, analyse } = database.diagnosis
  if (unanalysed === null) return []
  return (await query(unanalysed)).map(([schema, table]) =>
    warning(
      `${schema}.${table} has no statistics: the planner guesses.`,
      analyse({ schema: schema ?? '', table: table ?? '' }),
    ),
  )
}

export const server = ({ database, query, config }: DatabaseExamination): Promise<readonly Finding[]> =>
  database.diagnosis.advice(query, config.payloadSize)
