import { checkDriver } from './check-driver.ts'
import type { Protocol } from './connection.ts'
import { readRows } from './rows.ts'

/** Encodes messages and reads rows itself; node-postgres connects, authenticates and reads all other messages. */
export const directProtocol: Protocol = {
  attach(connection) {
    checkDriver(connection.client)
    readRows(connection.client.connection.stream, connection, (error) => connection.pool.broken(connection, error))
  },
  send: (connection, query) => void connection.client.query(query),
}
