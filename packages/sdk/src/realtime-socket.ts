export type Message = Readonly<Record<string, unknown>>

/** What happens to a socket, until it is left. */
export interface SocketListener {
  readonly opened: () => void
  readonly received: (message: Message) => void
  /** Closed, or silent. */
  readonly lost: (code: number, reason: string) => void
}

export interface Socket {
  readonly send: (message: Message) => void
  /** Nothing is heard after it. */
  readonly leave: () => void
}

/** Of a connection that ended without a word. */
const NO_CODE = 1006

/** Opens a socket, answers its pings, and pings it: connections can be lost without a word. */
export function openSocket(
  address: string,
  Implementation: typeof WebSocket,
  heartbeat: number,
  { opened, received, lost }: SocketListener,
): Socket {
  const socket = new Implementation(address)
  let isLeft = false
  let isHeard = true
  let timer: ReturnType<typeof setInterval> | undefined

  const send = (message: Message) => socket.send(JSON.stringify(message))
  const leave = () => {
    isLeft = true
    clearInterval(timer)
    socket.close()
  }
  const beat = () => {
    if (!isHeard) return lost(NO_CODE, '')
    isHeard = false
    send({ type: 'ping' })
  }
  socket.addEventListener('open', () => {
    if (isLeft) return
    timer = setInterval(beat, heartbeat)
    opened()
  })
  socket.addEventListener('message', ({ data }) => {
    if (isLeft) return
    isHeard = true
    const message = JSON.parse(String(data)) as Message
    if (message['type'] === 'ping') send({ type: 'pong' })
    else received(message)
  })
  socket.addEventListener('close', ({ code, reason }) => {
    if (!isLeft) lost(code, reason)
  })
  return { send, leave }
}
