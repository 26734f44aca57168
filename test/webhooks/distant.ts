import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createSecureServer } from 'node:tls'
import { startReceiver, type Receiver } from './receiver.ts'

/** A certificate for 127.0.0.1 that signs itself. */
export interface Certificate {
  readonly key: Buffer
  readonly cert: Buffer
  /** For NODE_EXTRA_CA_CERTS of the service. */
  readonly file: string
  readonly remove: () => void
}

export function makeCertificate(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'tain-certificate-'))
  const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const options = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', keyFile, '-out', file, ...subject]
  execFileSync('openssl', ['req', '-x509', ...options], { stdio: 'ignore' })
  const remove = () => rmSync(folder, { recursive: true, force: true })
  return { key: readFileSync(keyFile), cert: readFileSync(file), file, remove }
}

/** A receiver behind TLS and a network on which a packet and its answer take `roundTrip` milliseconds together. */
export async function startDistantReceiver({ key, cert }: Certificate, roundTrip: number): Promise<Receiver> {
  const receiver = await startReceiver()
  const secure = createSecureServer({ key, cert }, (socket) => {
    const inner = connect(Number(new URL(receiver.url).port), '127.0.0.1')
    passOn(socket, inner, () => 0)
    passOn(inner, socket, () => 0)
  })
  const securePort = await listen(secure)
  const network = createServer((socket) => {
    const inner = connect(securePort, '127.0.0.1')
    let isFirst = true
    passOn(socket, inner, () => {
      // Opening a connection takes a round trip too.
      const wait = isFirst ? roundTrip * 1.5 : roundTrip / 2
      isFirst = false
      return wait
    })
    passOn(inner, socket, () => roundTrip / 2)
  })
  const port = await listen(network)
  return {
    ...receiver,
    url: `https://127.0.0.1:${port}/hook`,
    async close() {
      for (const server of [network, secure]) server.close()
      await receiver.close()
    },
  }
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))

/** Writes to one socket, after a while, what comes from another. */
function passOn(from: Socket, to: Socket, wait: () => number): void {
  from.setNoDelay(true)
  const later = (work: () => void) => {
    const milliseconds = wait()
    if (milliseconds === 0) work()
    else setTimeout(work, milliseconds)
  }
  from.on('data', (chunk: Buffer) => later(() => to.writable && to.write(chunk)))
  from.on('end', () => later(() => to.end()))
  from.on('error', () => to.destroy())
}
