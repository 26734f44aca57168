// A TCP proxy that breaks connections at a byte of the caller's choice, in the ways that networks do.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '../lib/free-port.ts'
import { trackSockets } from '../lib/tracked-sockets.ts'

/**
 * `reset`: both sides get a reset. `truncate`: both sides see a regular end in the middle of a message. `half-open`:
 * nothing is forwarded in one direction any more. `black-hole`: nothing is forwarded in either direction. The last two
 * tell nobody.
 */
export const cutKinds = ['reset', 'truncate', 'half-open', 'black-hole'] as const
export type CutKind = (typeof cutKinds)[number]

export interface Cut {
  readonly kind: CutKind
  readonly direction: 'up' | 'down'
  /** Bytes that still pass in this direction. */
  readonly after: number
}

export interface CutProxy {
  readonly port: number
  /** How many connections were cut so far, by kind. */
  readonly cuts: Readonly<Record<CutKind, number>>
  /** Cuts no more connections. Those that are cut stay so. */
  readonly relent: () => void
  readonly close: () => Promise<void>
}

export const cutsOf = ({ cuts }: CutProxy): number => cutKinds.reduce((sum, kind) => sum + cuts[kind], 0)

/** Calls `plan` for each new connection; undefined: it is not cut. */
export async function startCutProxy(
  target: { readonly host: string; readonly port: number },
  plan: () => Cut | undefined,
): Promise<CutProxy> {
  const { sockets, track } = trackSockets()
  const cuts: Record<CutKind, number> = { reset: 0, truncate: 0, 'half-open': 0, 'black-hole': 0 }
  const state = { isOver: false }
  const server = createServer((client) => {
    const upstream = track(connect(target.port, target.host))
    join(track(client), upstream, plan(), (kind) => {
      if (!state.isOver) cuts[kind] += 1
      return !state.isOver
    })
  })
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port,
    cuts,
    relent() {
      state.isOver = true
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** `mayCut` is asked when the byte has come. */
function join(client: Socket, upstream: Socket, cut: Cut | undefined, mayCut: (kind: CutKind) => boolean): void {
  const blocked = { up: false, down: false }
  let left = cut?.after ?? Infinity

  const apply = ({ kind, direction }: Cut): void => {
    blocked[direction] = true
    if (kind !== 'half-open') blocked.up = blocked.down = true
    if (kind === 'reset') for (const socket of [client, upstream]) socket.resetAndDestroy()
    if (kind === 'truncate') for (const socket of [client, upstream]) socket.end()
  }

  const forward = (direction: Cut['direction'], from: Socket, to: Socket): void => {
    const pass = (bytes: Buffer): void => {
      if (to.write(bytes)) return
      from.pause()
      to.once('drain', () => from.resume())
    }
    from.on('data', (bytes: Buffer) => {
      if (blocked[direction]) return
      if (cut === undefined || cut.direction !== direction) return pass(bytes)
      const isDue = left > 0 && bytes.length >= left
      left -= bytes.length
      if (!isDue || !mayCut(cut.kind)) return pass(bytes)
      to.write(bytes.subarray(0, bytes.length + left))
      apply(cut)
    })
    from.on('close', () => to.destroySoon())
  }
  forward('up', client, upstream)
  forward('down', upstream, client)
}
