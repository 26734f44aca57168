import { escapeLiteral, type QueryArrayConfig } from 'pg'
import type { Row, Statement } from '../../driver.ts'
import {
  BEGIN_STATEMENT,
  isInTransaction,
  statementFailed,
  type PooledConnection,
  type Protocol,
  type RowQuery,
} from './connection.ts'
import { toDatabaseError } from './errors.ts'
import { limitRows } from './limit-rows.ts'
import { wireNameOf, type PreparedStatements } from './prepared-statements.ts'

/** The option is documented and missing in the typings. */
interface Config extends QueryArrayConfig {
  readonly queryMode: 'extended'
}

const asText = { getTypeParser: () => (text: string) => text }

/** node-postgres keeps the text of every statement that a connection ever prepared. */
const MOST_CREATED = 1000

/** Sends statements through the public interface of node-postgres. */
export const driverProtocol: Protocol = {
  attach(connection) {
    limitRows(connection.client.connection.stream, connection, (error) => connection.pool.broken(connection, error))
  },
  send(connection, query) {
    try {
      start(connection, query)
    } catch (error) {
      // It is unknown how much was written, so the connection must not be used again.
      query.error = toDatabaseError(error)
      connection.pool.broken(connection, error)
    }
  },
}

function start(connection: PooledConnection, query: RowQuery): void {
  const { prepared, pool } = connection
  const config = configOf(prepared, pool.outgoing, query.statement)
  if (prepared.created >= MOST_CREATED) connection.retired = true
  const run = (): void => {
    connection.client.query<(string | null)[]>(config, (error, result) => {
      if (error) return refused(connection, query, error)
      complete(query, result.rows)
      runEach(connection, query, query.around?.after ?? [], () => finished(connection, query, query.rows))
    })
  }
  const before = [...(query.begins ? [BEGIN_STATEMENT] : []), ...(query.around?.before ?? [])]
  const begin = () => runEach(connection, query, before, run)
  // An error here would fail the transaction, so a transaction closes nothing.
  if (prepared.closing.length === 0 || isInTransaction(connection)) begin()
  else runBefore(connection, query, closeText(prepared.closing.splice(0)), begin)
}

/** The statements around the one of the query. Their rows are added to its own. */
function runEach(
  connection: PooledConnection,
  query: RowQuery,
  [first, ...others]: readonly Statement[],
  done: () => void,
): void {
  if (first === undefined) return done()
  if (connection.cancel !== undefined) return finished(connection, query, [])
  const config: Config = {
    ...textConfig,
    text: connection.pool.outgoing(first.text),
    values: first.values as unknown[],
  }
  connection.client.query<(string | null)[]>(config, (error, result) => {
    if (error) return refused(connection, query, error)
    complete(query, result.rows)
    runEach(connection, query, others, done)
  })
}

function complete(query: RowQuery, rows: readonly Row[]): void {
  query.completed += 1
  for (const row of rows) query.rows.push(row)
}

/** Without `queryMode`, a statement without values could be a script of several. */
const textConfig = { rowMode: 'array', types: asText, queryMode: 'extended' } as const

function configOf(prepared: PreparedStatements, outgoing: (text: string) => string, statement: Statement): Config {
  const name = wireNameOf(prepared, outgoing, statement)
  return {
    ...textConfig,
    text: outgoing(statement.text),
    values: statement.values as unknown[],
    ...(name === '' ? {} : { name }),
  }
}

/** A statement that failed may not have been prepared, and DEALLOCATE of a missing one is an error. */
const closeText = (names: readonly string[]): string =>
  `do $$ declare closing text; begin
    for closing in select name from pg_catalog.pg_prepared_statements where name in (${names.map(escapeLiteral).join(', ')})
    loop execute format('deallocate %I', closing); end loop;
  end $$`

function runBefore(connection: PooledConnection, query: RowQuery, text: string, next: () => void): void {
  connection.client.query(text, (error: Error | null) => {
    if (error) refused(connection, query, error)
    else if (connection.cancel !== undefined) finished(connection, query, [])
    else next()
  })
}

function finished(connection: PooledConnection, query: RowQuery, rows: readonly Row[]): void {
  if (connection.query !== query || query.error !== undefined) return
  connection.query = undefined
  connection.pool.finished(connection)
  query.resolve(rows)
}

function refused(connection: PooledConnection, query: RowQuery, error: Error): void {
  if (connection.query !== query) return
  query.error = error
  // node-postgres reports an error before the server is ready again.
  connection.client.once('drain', () => statementFailed(query, connection))
}
