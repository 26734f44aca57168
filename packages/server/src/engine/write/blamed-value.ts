import { findCollection, type Collection, type Schema } from '../../schema/schema.ts'
import { DatabaseError, type Driver } from '../../sql/driver.ts'
import { isAboutValues, type DatabaseFault } from '../../sql/faults.ts'
import { sql } from '../../sql/sql.ts'
import { isPayload, type Mutation, type Payload } from '../../query/mutation.ts'
import { typed } from '../../schema/typed-column.ts'
import { recordset, statementKey, type WriteStatements } from './statements.ts'

const unreadable: ReadonlySet<DatabaseFault> = new Set<DatabaseFault>(['invalid-value', 'out-of-range', 'too-long'])

/** Only this many rows are searched for the invalid value. */
const MOST_ROWS = 1000

/**
 * The database does not always name the value that it could not read. The values of each sent field are tested alone
 * until one is refused; the error then names that field.
 */
export async function withField(
  error: DatabaseError,
  mutation: Mutation,
  schema: Schema,
  statements: WriteStatements,
  driver: Pick<Driver, 'query'>,
): Promise<DatabaseError> {
  if (!unreadable.has(error.fault) || error.details?.column !== undefined) return error
  const collection = findCollection(schema, mutation.collection, mutation.isSystem)
  if (collection === undefined) return error
  const column = await refusedColumn(rowsIn(mutation), collection, statements, driver)
  if (column === null) return error
  const details = { ...error.details, schema: collection.schema, table: collection.table, column }
  return new DatabaseError(error.fault, error.message, error.databaseCode, { cause: error, details })
}

function rowsIn(mutation: Mutation): readonly Payload[] {
  switch (mutation.kind) {
    case 'create':
    case 'upsert':
    case 'update-each':
      return mutation.items.slice(0, MOST_ROWS)
    case 'update':
    case 'singleton':
      return [mutation.data]
    case 'delete':
    case 'sort':
      return []
  }
}

async function refusedColumn(
  rows: readonly Payload[],
  collection: Collection,
  statements: WriteStatements,
  driver: Pick<Driver, 'query'>,
): Promise<string | null> {
  const { dialect } = statements
  for (const field of collection.columns.values()) {
    const sent = rows.map((row) => row[field.name]).filter((value) => value !== undefined && value !== null)
    const values = field.relation === null ? sent : sent.filter((value) => !isPayload(value))
    if (values.length === 0) continue
    try {
      const cells = values.map((value) => [dialect.payloadValue(value, typed(field))])
      const build = () => sql`select 1 from ${dialect.bulk.rowsOf({ columns: [typed(field)], parameter: 0 }, 'x')}`
      await statements.run(`read ${statementKey(collection, [field])}`, build, [recordset(cells)], {
        query: (statement) => driver.query(statement),
      })
    } catch (caught) {
      if (caught instanceof DatabaseError && !isAboutValues(caught.fault)) throw caught
      return field.name
    }
  }
  return null
}
