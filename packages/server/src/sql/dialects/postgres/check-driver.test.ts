import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { DatabaseError } from '../../driver.ts'
import { checkDriver } from './check-driver.ts'
import type { WireClient } from './connection.ts'

/** An open connection as node-postgres 8.23 has it. */
function createClient() {
  const stream = new PassThrough()
  stream.on('data', (_chunk: unknown) => undefined)
  const connection = Object.assign(new EventEmitter(), { stream, sendCopyFail: () => undefined })
  for (const event of ['readyForQuery', 'errorMessage']) connection.on(event, () => undefined)
  const address = { ssl: false, sslNegotiation: 'postgres', host: '127.0.0.1', port: 5432 }
  const getTransactionStatus: () => string | null = () => 'I'
  return { connection, getTransactionStatus, processID: 1, secretKey: 2, ...address }
}

type FakeClient = ReturnType<typeof createClient>

const without = (client: FakeClient, name: string): object =>
  Object.fromEntries(Object.entries(client).filter(([key]) => key !== name))

function failureOf(client: object, version = '8.23.1'): unknown {
  try {
    checkDriver(client as WireClient, version)
    return undefined
  } catch (error) {
    return error
  }
}

test('accepts the driver that it knows', () => {
  expect(failureOf(createClient())).toBeUndefined()
  expect(failureOf(createClient(), '8.24.0')).toBeUndefined()
})

test.each(['8.22.0', '9.0.0', '9.23.0', '8.23.0-beta.1', ''])('refuses version "%s"', (version) => {
  const failure = failureOf(createClient(), version)
  expect(failure).toBeInstanceOf(DatabaseError)
  expect(failure).toMatchObject({ fault: 'unavailable', databaseCode: 'UNSUITABLE_DRIVER' })
  expect((failure as Error).message).toContain('8.23 or a later 8.x')
})

describe('refuses another inside, and says what to do', () => {
  const cases: readonly (readonly [expected: string, change: (client: FakeClient) => object])[] = [
    ['client.connection.stream', (client) => ({ ...client, connection: undefined })],
    ['client.connection.stream', (client) => ({ ...client, connection: { socket: client.connection.stream } })],
    ['a single listener', (client) => (client.connection.stream.on('data', () => 1), client)],
    ['a single listener', (client) => (client.connection.stream.removeAllListeners('data'), client)],
    ['readyForQuery', (client) => (client.connection.removeAllListeners('readyForQuery'), client)],
    ['sendCopyFail', (client) => (Object.assign(client.connection, { sendCopyFail: undefined }), client)],
    ['getTransactionStatus', (client) => without(client, 'getTransactionStatus')],
    ['getTransactionStatus', (client) => ({ ...client, getTransactionStatus: () => null })],
    ['secretKey', (client) => without(client, 'secretKey')],
  ]

  test.each(cases)('%s', (expected, change) => {
    const failure = failureOf(change(createClient()))
    expect(failure).toMatchObject({ fault: 'unavailable', databaseCode: 'UNSUITABLE_DRIVER' })
    expect((failure as Error).message).toContain(expected)
    expect((failure as Error).message).toContain('Set POSTGRES_PROTOCOL=driver')
  })
})
