import { findCollection, type Collection, type ColumnField, type Schema } from '../../schema/schema.ts'
import type { QualifiedName } from '../../sql/dialect.ts'
import { DatabaseError, type Driver } from '../../sql/driver.ts'
import { isAboutValues, type DatabaseFault } from '../../sql/faults.ts'
import { column, sql, table, type Sql } from '../../sql/sql.ts'
import { isPayload, type Mutation, type Payload } from '../../query/mutation.ts'
import { typed } from '../../schema/typed-column.ts'
import { recordset, statementKey, type StatementKey, type WriteStatements } from './statements.ts'

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
  const { domain, schema: domainSchema = '' } = error.details ?? {}
  const isBlamed = unreadable.has(error.fault) || domain !== undefined
  if (!isBlamed || error.details?.column !== undefined) return error
  const collection = findCollection(schema, mutation.collection, mutation.isSystem)
  if (collection === undefined) return error
  const test: Test =
    domain === undefined
      ? { fields: [...collection.columns.values()], tested: null }
      : await domainTest(collection, { schema: domainSchema, name: domain }, statements, driver)
  const refused = await refusedColumn(rowsIn(mutation), collection, test, statements, driver)
  if (refused === null) return error
  const details = { ...error.details, schema: collection.schema, table: collection.table, column: refused }
  return new DatabaseError(error.fault, error.message, error.databaseCode, { cause: error, details })
}

/** Fields whose values are tried, and an expression over the value besides reading it. */
interface Test {
  readonly fields: readonly ColumnField[]
  readonly tested: Sql | null
}

/** Values are read as the type below the domain, so the cast to the domain is what refuses them. */
async function domainTest(
  { schema, table: name, columns }: Collection,
  domain: QualifiedName,
  { dialect }: WriteStatements,
  driver: Pick<Driver, 'query'>,
): Promise<Test> {
  const found =
    dialect.domainColumns === null ? [] : await driver.query(dialect.domainColumns({ schema, name }, domain))
  const names = new Set(found.map(([each]) => each))
  return {
    fields: [...columns.values()].filter((field) => names.has(field.name)),
    tested: sql`cast(${column('x', 'f0')} as ${table(domain.schema, domain.name)})`,
  }
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
  { fields, tested }: Test,
  statements: WriteStatements,
  driver: Pick<Driver, 'query'>,
): Promise<string | null> {
  const { dialect } = statements
  for (const field of fields) {
    const sent = rows.map((row) => row[field.name]).filter((value) => value !== undefined && value !== null)
    const values = field.relation === null ? sent : sent.filter((value) => !isPayload(value))
    if (values.length === 0) continue
    try {
      const cells = values.map((value) => [dialect.payloadValue(value, typed(field))])
      const build = () =>
        sql`select ${tested ?? sql`1`} from ${dialect.bulk.rowsOf({ columns: [typed(field)], parameter: 0 }, 'x')}`
      const key: StatementKey = `read ${tested === null ? '' : 'domain '}${statementKey(collection, [field])}`
      await statements.run(key, build, [recordset(cells)], {
        query: (statement) => driver.query(statement),
      })
    } catch (caught) {
      if (caught instanceof DatabaseError && !isAboutValues(caught.fault)) throw caught
      return field.name
    }
  }
  return null
}
