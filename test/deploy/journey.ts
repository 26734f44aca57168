// What people do with a deployment on the first day, over HTTP alone. Every step throws with the reason.
import { createHash, randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { type Received, type Receiver, startReceiver } from '../webhooks/receiver.ts'
import { type Deployment, administrator, adminToken } from './deployment.ts'

export const steps = ['file', 'socket', 'webhook', 'login', 'restart'] as const
export type Step = (typeof steps)[number]
export type Outcome = Readonly<Record<Step, string>>

const SIZE = 5_000_000
const PATIENCE = 15_000

interface Journey {
  readonly deployment: Deployment
  readonly collection: string
  readonly receiver: Receiver
  readonly webhook: { readonly id: string; readonly secret: string }
  readonly kept: { file?: string; session?: string; position?: string }
}

const content = randomBytes(SIZE)
/** One red dot as a PNG. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const checksum = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Every step of one deployment: `ok`, or why not. */
export async function travel(deployment: Deployment): Promise<Outcome> {
  const receiver = await startReceiver(() => 204, deployment.receiverHost, deployment.receiverPort)
  try {
    const collection = `note_${randomBytes(4).toString('hex')}`
    await call(deployment, 'POST', '/collections', {
      collection,
      schema: {},
      fields: [
        { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
        { field: 'text', type: 'string' },
      ],
    })
    const hook = { name: collection, url: receiver.url, collections: [collection] }
    const webhook = (await call(deployment, 'POST', '/webhooks', hook)) as Journey['webhook']
    const journey = { deployment, collection, receiver, webhook, kept: {} }
    const outcome: Partial<Record<Step, string>> = {}
    for (const step of steps) outcome[step] = await outcomeOf(() => work[step](journey))
    await call(deployment, 'DELETE', `/webhooks/${webhook.id}`)
    return outcome as Outcome
  } finally {
    await receiver.close()
  }
}

async function outcomeOf(step: () => Promise<void>): Promise<string> {
  try {
    await step()
    return 'ok'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const work: Readonly<Record<Step, (journey: Journey) => Promise<void>>> = {
  async file({ deployment, kept }) {
    await healthy(deployment)
    kept.file = await upload(deployment, 'content.bin', content)
    await sameContent(deployment, kept.file)
    const picture = await upload(deployment, 'dot.png', PICTURE)
    const address = `${deployment.url}/assets/${picture}?width=1&format=webp`
    const variant = await fetch(address, sent('GET', undefined))
    const type = variant.headers.get('content-type')
    if (type !== 'image/webp') throw new Error(`a variant of a picture: ${variant.status} ${await variant.text()}`)
    await variant.arrayBuffer()
  },

  async socket(journey) {
    const { deployment, collection, kept } = journey
    const socket = await connect(deployment, { type: 'subscribe', collection })
    try {
      await socket.next((message) => message.event === 'init')
      await call(deployment, 'POST', `/items/${collection}`, { text: 'by socket' })
      const { position } = await socket.next(
        (message) => message.event === 'create' && message.data?.[0]?.text === 'by socket',
      )
      if (position === undefined) throw new Error('the event has no position')
      kept.position = position
    } finally {
      socket.close()
    }
    await streamed(journey)
  },

  async webhook(journey) {
    await delivered(journey, 'by webhook')
  },

  async login({ deployment, kept }) {
    const { email, password } = administrator
    const login = { email, password, mode: 'session' }
    const response = await fetch(`${deployment.url}/auth/login`, sent('POST', login, {}))
    const [cookie] = response.headers.getSetCookie()
    if (response.status !== 200 || cookie === undefined) throw new Error(`login: ${response.status}`)
    kept.session = cookie.split(';')[0] ?? ''
    await signedIn(deployment, kept.session)
  },

  async restart(journey) {
    const { deployment, collection, kept } = journey
    const before = await rows(deployment, collection)
    if (before < 3) throw new Error(`${before} rows before the restart`)
    await deployment.restart()
    const after = await rows(deployment, collection)
    if (after !== before) throw new Error(`${after} rows instead of ${before}`)
    await sameContent(deployment, kept.file ?? '')
    await signedIn(deployment, kept.session ?? '')
    const socket = await connect(deployment, { type: 'subscribe', collection, from: kept.position })
    try {
      await socket.next((message) => message.event === 'create' && message.data?.[0]?.text === 'by webhook')
    } finally {
      socket.close()
    }
    await delivered(journey, 'after the restart')
  },
}

async function upload(deployment: Deployment, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([bytes]), name)
  return ((await call(deployment, 'POST', '/files', form)) as { id: string }).id
}

/** The database, the storages and all else that the service looks at. */
async function healthy({ url }: Deployment): Promise<void> {
  const response = await fetch(`${url}/server/health`, sent('GET', undefined))
  const { status } = (await response.json()) as { status: string }
  if (status !== 'ok') throw new Error(`the health is ${status}`)
}

async function sameContent(deployment: Deployment, id: string): Promise<void> {
  const response = await fetch(`${deployment.url}/assets/${id}`, sent('GET', undefined))
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (response.status !== 200 || checksum(bytes) !== checksum(content))
    throw new Error(`the file is read with ${response.status}, and has ${bytes.length} bytes instead of ${SIZE}`)
}

async function signedIn(deployment: Deployment, cookie: string): Promise<void> {
  const user = (await call(deployment, 'GET', '/users/me?fields=email', undefined, { cookie })) as { email: string }
  if (user.email !== administrator.email) throw new Error(`signed in as ${user.email}`)
}

async function rows(deployment: Deployment, collection: string): Promise<number> {
  const found = await call(deployment, 'SEARCH', `/items/${collection}`, { query: { limit: -1 } })
  return (found as readonly unknown[]).length
}

async function delivered({ deployment, collection, receiver, webhook }: Journey, text: string): Promise<void> {
  await call(deployment, 'POST', `/items/${collection}`, { text })
  const deadline = Date.now() + PATIENCE
  const isThat = ({ body }: Received) => (body.data['item'] as { text?: string } | null)?.text === text
  while (!receiver.received.some(isThat)) {
    if (Date.now() > deadline) throw new Error(`no delivery within ${PATIENCE / 1000} s`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const found = receiver.received.find(isThat)
  new Webhook(webhook.secret).verify(found?.text ?? '', found?.headers as Record<string, string>)
}

/** Server-sent events, which a proxy must not hold back. */
async function streamed({ deployment, collection }: Journey): Promise<void> {
  const address = `${deployment.url}/realtime/items/${collection}?limit=1`
  const response = await fetch(address, { ...sent('GET', undefined), signal: AbortSignal.timeout(PATIENCE) })
  if (response.status !== 200 || response.body === null) throw new Error(`events: ${response.status}`)
  let text = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    if (text === '') await call(deployment, 'POST', `/items/${collection}`, { text: 'by stream' })
    text += chunk
    if (text.includes('by stream')) return
  }
  throw new Error('the stream ended')
}

interface Message {
  readonly type: string
  readonly status?: string
  readonly event?: string
  readonly position?: string
  readonly data?: readonly { readonly text?: string }[] | null
}

interface Socket {
  /** The first message from here on that is looked for. */
  readonly next: (isIt: (message: Message) => boolean) => Promise<Message>
  readonly close: () => void
}

async function connect({ url }: Deployment, first: object): Promise<Socket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/websocket`)
  const messages: Message[] = []
  let wake = () => undefined as void
  let failure = ''
  socket.addEventListener('message', ({ data }) => {
    messages.push(JSON.parse(String(data)) as Message)
    wake()
  })
  for (const name of ['error', 'close'] as const)
    socket.addEventListener(name, () => {
      failure = `the socket has ended: ${name}`
      wake()
    })
  const next: Socket['next'] = async (isIt) => {
    const deadline = Date.now() + PATIENCE
    for (;;) {
      const found = messages.find(isIt)
      if (found !== undefined) return found
      if (failure !== '') throw new Error(failure)
      if (Date.now() > deadline) throw new Error(`no such message, only ${JSON.stringify(messages).slice(0, 300)}`)
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, 200)
      })
    }
  }
  socket.addEventListener('open', () => {
    socket.send(JSON.stringify({ type: 'auth', access_token: adminToken }))
    socket.send(JSON.stringify(first))
  })
  await next(({ type, status }) => type === 'auth' && status === 'ok')
  return { next, close: () => socket.close() }
}

type Headers = Readonly<Record<string, string>>

function sent(
  method: string,
  body: unknown,
  headers: Headers = { authorization: `Bearer ${adminToken}` },
): RequestInit {
  if (body === undefined || body instanceof FormData) return { method, headers, body: body ?? null }
  return { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

/** The data of a response that has to succeed. */
async function call(
  { url }: Deployment,
  method: string,
  path: string,
  body?: unknown,
  headers?: Headers,
): Promise<unknown> {
  const response = await fetch(url + path, sent(method, body, headers))
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
  return text === '' ? undefined : (JSON.parse(text) as { data: unknown }).data
}
