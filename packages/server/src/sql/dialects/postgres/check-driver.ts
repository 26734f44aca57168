import { createRequire } from 'node:module'
import { Connection } from 'pg'
import { DatabaseError } from '../../driver.ts'
import type { WireClient } from './connection.ts'

/** The code of the error, among the server's own codes. */
export const UNSUITABLE_DRIVER = 'UNSUITABLE_DRIVER'

const LEAST_MINOR = 23

const minorOf8 = (version: string): number => Number(/^8\.(\d+)\.\d+$/u.exec(version)?.[1] ?? -1)

/** The undocumented members of node-postgres that this folder uses, as they must be on an open connection. */
const expectations: readonly (readonly [what: string, isMet: (client: WireClient) => boolean])[] = [
  ['an open stream in client.connection.stream', ({ connection: { stream } }) => stream.writable && !stream.destroyed],
  [
    'a single listener that reads client.connection.stream, with one parameter',
    ({ connection: { stream } }) => stream.listenerCount('data') === 1 && stream.listeners('data')[0]!.length === 1,
  ],
  [
    'a client that listens for readyForQuery and errorMessage of client.connection',
    ({ connection }) => ['readyForQuery', 'errorMessage'].every((event) => connection.listenerCount(event) > 0),
  ],
  ['the function client.connection.sendCopyFail', ({ connection }) => typeof connection.sendCopyFail === 'function'],
  ['the idle state I in client.getTransactionStatus()', (client) => client.getTransactionStatus() === 'I'],
  [
    'processID, secretKey, ssl, sslNegotiation, host and port of the client',
    (client) => ['processID', 'secretKey', 'ssl', 'sslNegotiation', 'host', 'port'].every((name) => name in client),
  ],
  [
    'connect, requestSsl and cancel of Connection',
    () => ['connect', 'requestSsl', 'cancel'].every((name) => name in Connection.prototype),
  ],
]

/** Throws unless the inside of node-postgres is as the direct protocol expects it. */
export function checkDriver(client: WireClient, version: string = installedVersion()): void {
  const missing =
    minorOf8(version) < LEAST_MINOR
      ? `version 8.${LEAST_MINOR} or a later 8.x`
      : expectations.find(([, isMet]) => !holds(isMet, client))?.[0]
  if (missing === undefined) return
  throw new DatabaseError(
    'unavailable',
    `POSTGRES_PROTOCOL=direct does not work with node-postgres ${version}: it expects ${missing}. Set POSTGRES_PROTOCOL=driver, or install the version of pg that package.json names.`,
    UNSUITABLE_DRIVER,
  )
}

function holds(isMet: (client: WireClient) => boolean, client: WireClient): boolean {
  try {
    return isMet(client)
  } catch {
    return false
  }
}

const installedVersion = (): string =>
  (createRequire(import.meta.url)('pg/package.json') as { readonly version: string }).version
