import { Connection } from 'pg'
import type { WireClient, WireConnection } from './connection.ts'

/** Sends the protocol's cancel request over a separate connection; calls `done` after the server has closed it. */
export function sendCancel(client: WireClient, timeout: number, done: (error: Error | undefined) => void): void {
  const { ssl, sslNegotiation, host, port } = client
  const side = new (Connection as unknown as new (config: object) => WireConnection)({ ssl, sslNegotiation })
  let failure: Error | undefined
  const timer = setTimeout(() => side.stream.destroy(new Error('the cancel request took too long')), timeout)
  const send = (): void => side.cancel(client.processID, client.secretKey)
  side.on('connect', () => {
    if (!ssl) send()
    else if (sslNegotiation !== 'direct') side.requestSsl()
  })
  side.on('sslconnect', send)
  side.on('error', (error: Error) => {
    failure = error
  })
  side.once('end', () => {
    clearTimeout(timer)
    done(failure)
  })
  if (host.startsWith('/')) side.connect(`${host}/.s.PGSQL.${port}`)
  else side.connect(port, host)
}
