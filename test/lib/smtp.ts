import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Headers and body as received. */
  readonly raw: string
  /** The decoded body. */
  readonly content: string
}

export interface SmtpSink {
  readonly port: number
  readonly mails: readonly ReceivedMail[]
  /** Answers to the next mails, for instance `451 later`. After that the server accepts mails again. */
  refuse(...answers: readonly string[]): void
  /** The next mail to an address that has not been returned yet. */
  next(to: string): Promise<ReceivedMail>
  close(): Promise<void>
}

/** A mail server that accepts every mail and delivers none. */
export async function startSmtpSink(): Promise<SmtpSink> {
  const mails: ReceivedMail[] = []
  const refusals: string[] = []
  const given = new Set<ReceivedMail>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    speak(socket, refusals, (mail) => mails.push(mail))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    mails,
    refuse: (...answers) => void refusals.push(...answers),
    async next(to) {
      for (const deadline = Date.now() + 10_000; Date.now() < deadline; await pause(20)) {
        const found = mails.find((mail) => mail.to.includes(to) && !given.has(mail))
        if (found !== undefined) {
          given.add(found)
          return found
        }
      }
      throw new Error(`no mail to ${to}`)
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

function speak(socket: Socket, refusals: string[], take: (mail: ReceivedMail) => void): void {
  let [buffer, from, isData] = ['', '', false]
  let to: string[] = []
  const say = (line: string) => socket.write(`${line}\r\n`)
  const addressIn = (line: string) => /<([^>]*)>/u.exec(line)?.[1] ?? ''

  const command = (line: string) => {
    const word = line.slice(0, 4).toUpperCase()
    if (word === 'EHLO' || word === 'HELO') say('250 sink')
    else if (word === 'MAIL') {
      const refusal = refusals.shift()
      from = addressIn(line)
      to = []
      say(refusal ?? '250 ok')
    } else if (word === 'RCPT') {
      to.push(addressIn(line))
      say('250 ok')
    } else if (word === 'DATA') {
      isData = true
      say('354 go on')
    } else if (word === 'QUIT') {
      say('221 bye')
      socket.end()
    } else say('250 ok')
  }

  say('220 sink')
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    buffer += chunk
    for (;;) {
      const end = buffer.indexOf(isData ? '\r\n.\r\n' : '\r\n')
      if (end === -1) return
      const text = buffer.slice(0, end)
      buffer = buffer.slice(end + (isData ? 5 : 2))
      if (isData) {
        isData = false
        take({ from, to, raw: text, content: decoded(text) })
        say('250 taken')
      } else command(text)
    }
  })
}

/** Decodes quoted-printable: soft line breaks and hex-encoded characters. */
const decoded = (text: string): string =>
  text
    .replace(/=\r\n/gu, '')
    .replace(/=([0-9A-F]{2})/gu, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))

/** The token in the link of a mail. */
export const tokenIn = ({ content }: ReceivedMail): string => /[?&]token=([\w.-]+)/u.exec(content)?.[1] ?? ''
