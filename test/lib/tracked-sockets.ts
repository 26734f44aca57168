import type { Socket } from 'node:net'

/** The open sockets of a proxy: without delay, gone when they fail, and destroyed together at its end. */
export function trackSockets() {
  const sockets = new Set<Socket>()
  return {
    sockets: sockets as ReadonlySet<Socket>,
    track: (socket: Socket): Socket => {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
      return socket
    },
  }
}
