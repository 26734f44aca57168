// A TCP proxy between the service and PostgreSQL that breaks connections at the worst possible time.
import { connect, createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { freePort } from '../lib/free-port.ts'
import { trackSockets } from '../lib/tracked-sockets.ts'

/**
 * Treatment of a COMMIT. `cut-before`: the proxy does not forward it. `cut-after`: the proxy forwards it and closes the
 * connection at once. `cut-reply`: the server answers it and the proxy drops the answer. `blackhole`: the proxy
 * silently stops forwarding in both directions. `rst`: both sides get a reset.
 */
export type Fault = 'pass' | 'cut-before' | 'cut-after' | 'cut-reply' | 'blackhole' | 'rst'

export interface FaultProxy {
  readonly url: string
  /** Commits seen so far. */
  readonly commits: () => number
  close(): Promise<void>
}

/** Calls `onCommit` at each COMMIT to choose the fault. */
export async function startFaultProxy(databaseUrl: string, onCommit: () => Fault): Promise<FaultProxy> {
  const target = new URL(databaseUrl)
  const { sockets, track } = trackSockets()
  const counter = { commits: 0 }
  const server = createServer((client) => {
    const upstream = track(connect(Number(target.port), target.hostname))
    join(track(client), upstream, () => {
      counter.commits += 1
      return onCommit()
    })
  })
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: Object.assign(new URL(databaseUrl), { port: String(port) }).href,
    commits: () => counter.commits,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function join(client: Socket, upstream: Socket, onCommit: () => Fault): void {
  const hasCommit = commitFinder()
  let fault: Fault = 'pass'
  client.on('data', (bytes: Buffer) => {
    if (fault !== 'pass') return
    if (hasCommit(bytes)) fault = onCommit()
    if (fault === 'pass' || fault === 'cut-after' || fault === 'cut-reply') upstream.write(bytes)
    if (fault === 'cut-before') destroyBoth(client, upstream)
    if (fault === 'rst') resetBoth(client, upstream)
    if (fault === 'cut-after') {
      client.destroy()
      upstream.end()
    }
  })
  upstream.on('data', (bytes: Buffer) => {
    if (fault === 'pass') client.write(bytes)
    if (fault === 'cut-reply') destroyBoth(client, upstream)
  })
  client.on('close', () => upstream.end())
  upstream.on('close', () => client.destroy())
}

function destroyBoth(client: Socket, upstream: Socket): void {
  client.destroy()
  upstream.destroy()
}

function resetBoth(client: Socket, upstream: Socket): void {
  client.resetAndDestroy()
  upstream.resetAndDestroy()
}

const HEADER = 5
const PARSE = 'P'.charCodeAt(0)
const BIND = 'B'.charCodeAt(0)
const QUERY = 'Q'.charCodeAt(0)

/**
 * Follows the messages of one client. Returns true if the bytes execute a COMMIT, prepared or plain, or a writing
 * statement outside a transaction, which commits itself.
 */
function commitFinder(): (bytes: Buffer) => boolean {
  const texts = new Map<string, string>()
  let isInTransaction = false
  let rest: Buffer = Buffer.alloc(0)
  let hasStarted = false

  const isCommit = (message: Buffer): boolean => {
    const type = message[0]
    const [first = '', second = ''] = message.subarray(HEADER).toString('latin1').split('\0', 2)
    if (type === PARSE) texts.set(first, second)
    const text = type === QUERY ? first : type === BIND ? (texts.get(second) ?? '') : ''
    const isOwn = !isInTransaction && /^(?:with|insert)\b.*\binsert into\b/isu.test(text)
    if (/^begin\b/iu.test(text)) isInTransaction = true
    if (/^(?:commit|rollback)\b/iu.test(text)) isInTransaction = false
    return isOwn || /^commit\b/iu.test(text)
  }

  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    let found = false
    for (;;) {
      // The first message has no type byte.
      const start = hasStarted ? 1 : 0
      if (rest.length < start + 4) return found
      const length = start + rest.readInt32BE(start)
      if (rest.length < length) return found
      if (hasStarted) found = isCommit(rest.subarray(0, length)) || found
      hasStarted = true
      rest = rest.subarray(length)
    }
  }
}
