import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request as open, Agent, type IncomingHttpHeaders } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../lib/free-port.ts'
import { PROGRAM } from '../../lib/program.ts'

export interface Ask {
  readonly method: string
  readonly path: string
  readonly token: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | undefined
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

export interface Service {
  readonly url: string
  readonly adminToken: string
  readonly send: (ask: Ask) => Promise<Answer>
  readonly log: () => string
  readonly stop: () => Promise<void>
}

const START_SECONDS = 60

/** Starts the service with a storage of its own. */
export async function startService(database: string, root: string, adminToken: string): Promise<Service> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [PROGRAM, 'start'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATABASE_URL: database,
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: url,
      ADMIN_TOKEN: adminToken,
      SECRET: 'file-rights-secret-file-rights-secret-file',
      LOG_LEVEL: 'error',
      STORAGE_LOCATIONS: 'local',
      STORAGE_LOCAL_ROOT: root,
    },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-4000)
    })
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const send = (ask: Ask) => sendOne(agent, port, ask)
  const stop = async () => {
    agent.destroy()
    if (child.exitCode !== null || child.signalCode !== null) return
    const closed = once(child, 'close')
    child.kill('SIGTERM')
    await closed
  }
  for (const deadline = Date.now() + START_SECONDS * 1000; ;) {
    const ping = await send({ method: 'GET', path: '/server/ping', token: null }).catch(() => null)
    if (ping?.status === 200) return { url, adminToken, send, stop, log: () => text }
    if (Date.now() > deadline || child.exitCode !== null) {
      await stop()
      throw new Error(`the service did not start\n${text}`)
    }
    await pause(50)
  }
}

function sendOne(agent: Agent, port: number, { method, path, token, headers, body }: Ask): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const sent = open({
    agent,
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-length': body.length }),
      ...headers,
    },
  })
  sent.on('error', reject)
  sent.on('response', (response) => {
    const pieces: Buffer[] = []
    response.on('data', (piece: Buffer) => pieces.push(piece))
    response.on('error', reject)
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(pieces) }),
    )
  })
  sent.end(body)
  return promise
}

export const json = (value: unknown): Pick<Ask, 'headers' | 'body'> => ({
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
})

const BOUNDARY = '----rights-of-files'

/** A form with one file; what describes it comes first. */
export function form(
  fields: Readonly<Record<string, string | number | null>>,
  file: { readonly name: string; readonly type: string; readonly content: Buffer },
): Pick<Ask, 'headers' | 'body'> {
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${file.name}"\r\nContent-Type: ${file.type}\r\n\r\n`
  const body = Buffer.concat([Buffer.from(texts.join('') + head), file.content, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
  return { headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }, body }
}

export const bodyOf = ({ bytes }: Answer): unknown => {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

export const dataOf = (answer: Answer): unknown => (bodyOf(answer) as { data?: unknown } | undefined)?.data
