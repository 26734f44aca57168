import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { TestDatabase } from '../lib/databases.ts'
import { TABLES, type History } from './history.ts'

export interface SubscriberOptions {
  readonly name: string
  readonly token: string
  /** Sees rows of every level, and notes; else rows of level 1 alone. */
  readonly seesAll: boolean
  /** Address of a replica; null: none is there. */
  readonly address: () => string | null
  readonly next: () => number
  /** Milliseconds between two breaks; null: none. */
  readonly killEach: number | null
  /** What a client does that could not go on: events of one kind come without the rows that are there. */
  readonly readNotes: () => Promise<readonly string[]>
}

interface Message {
  readonly type: string
  readonly event?: string
  readonly status?: string
  readonly uid?: string
  readonly data?: readonly unknown[]
  readonly position?: string
  readonly resumed?: boolean
}

interface Told {
  readonly id: number | string
  readonly mark?: string
}

export interface Subscriber {
  readonly options: SubscriberOptions
  /** The mark of each row that it has, by `things/1`. */
  readonly rows: ReadonlyMap<string, string>
  /** The marks that it was told of each row, in order. */
  readonly told: ReadonlyMap<string, readonly string[]>
  readonly notes: ReadonlySet<string>
  readonly odd: readonly string[]
  readonly breaks: () => number
  /** How often it was told that it cannot go on. */
  readonly anew: () => number
  /** Resolves once every subscription has begun. */
  readonly began: Promise<void>
  readonly stop: () => Promise<void>
}

const LIMITED = new Set(['id', 'mark'])

/** Follows all tables over a socket. When that breaks it goes on from where it was, on any replica. */
export function startSubscriber(options: SubscriberOptions): Subscriber {
  const { name, token, seesAll, address, next, killEach, readNotes } = options
  const collections = seesAll ? [...TABLES, 'notes'] : TABLES
  const rows = new Map<string, string>()
  const told = new Map<string, string[]>()
  const notes = new Set<string>()
  const odd: string[] = []
  const positions = new Map<string, string>()
  const began = Promise.withResolvers<void>()
  const state = { isOver: false, breaks: 0, anew: 0 }

  const put = (collection: string, row: Told) => {
    if (collection === 'notes') return void notes.add(String(row.id))
    for (const field of Object.keys(row)) if (!LIMITED.has(field)) odd.push(`${name} was told the field ${field}`)
    const item = `${collection}/${row.id}`
    const marks = told.get(item) ?? []
    if (marks.at(-1) !== row.mark) marks.push(row.mark ?? '')
    told.set(item, marks)
    rows.set(item, row.mark ?? '')
  }
  const begin = (collection: string, { data, resumed }: Message) => {
    if (resumed === true) return
    if (positions.has(collection)) {
      state.anew += 1
      if (collection === 'notes')
        readNotes().then(
          (ids) => ids.forEach((id) => notes.add(id)),
          (error: unknown) => odd.push(String(error)),
        )
    }
    for (const item of rows.keys()) if (item.startsWith(`${collection}/`)) rows.delete(item)
    for (const row of data ?? []) put(collection, row as Told)
  }
  const take = (message: Message, socket: WebSocket) => {
    const { type, event, uid = '', data = [], position } = message
    if (type === 'ping') return socket.send('{"type":"pong"}')
    if (type !== 'subscription') return void odd.push(`${name}: ${JSON.stringify(message).slice(0, 300)}`)
    if (event === 'init') begin(uid, message)
    else if (event === 'delete') for (const key of data) rows.delete(`${uid}/${String(key)}`)
    else for (const row of data) put(uid, row as Told)
    if (position !== undefined) positions.set(uid, position)
    if (positions.size === collections.length) began.resolve()
  }
  const subscribe = (socket: WebSocket) => {
    for (const collection of collections) {
      const from = positions.get(collection)
      const isNotes = collection === 'notes'
      const query = { fields: isNotes ? ['id'] : ['id', 'mark'], limit: -1 }
      const message = { type: 'subscribe', collection, uid: collection, query, ...(isNotes ? { event: 'create' } : {}) }
      socket.send(JSON.stringify(from === undefined ? message : { ...message, from }))
    }
  }
  async function connectOnce(base: string): Promise<void> {
    const socket = new WebSocket(`${base.replace('http', 'ws')}/websocket?access_token=${token}`)
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('open', () => subscribe(socket))
    socket.on('message', (text: Buffer) => {
      if (socket.readyState === WebSocket.OPEN) take(JSON.parse(text.toString('utf8')) as Message, socket)
    })
    const timer =
      killEach === null
        ? null
        : setTimeout(
            () => {
              state.breaks += 1
              socket.terminate()
            },
            killEach * (0.5 + next()),
          )
    await once(socket, 'close')
    sockets.delete(socket)
    if (timer !== null) clearTimeout(timer)
  }
  const sockets = new Set<WebSocket>()
  async function run(): Promise<void> {
    while (!state.isOver) {
      const base = address()
      if (base !== null) await connectOnce(base).catch(() => undefined)
      await sleep(20)
    }
  }
  const running = run()
  return {
    options,
    rows,
    told,
    notes,
    odd,
    breaks: () => state.breaks,
    anew: () => state.anew,
    began: began.promise,
    async stop() {
      state.isOver = true
      for (const socket of sockets) socket.terminate()
      await running
    },
  }
}

/** Rows whose last state the subscriber does not have, or that it has and should not. */
export async function differences(
  database: TestDatabase,
  subscribers: readonly Subscriber[],
): Promise<readonly string[]> {
  const present = new Map<string, readonly [string, number]>()
  for (const table of TABLES)
    for (const [id, mark, level] of await database.query(`select id, mark, level from ${table}`))
      present.set(`${table}/${id}`, [mark ?? '', Number(level)])
  const notes = (await database.query('select id from notes')).map(([id]) => id ?? '')
  return subscribers.flatMap(({ options: { name, seesAll }, rows, notes: known }) => {
    const expected = new Map([...present].filter(([, [, level]]) => seesAll || level === 1))
    const items = new Set([...expected.keys(), ...rows.keys()])
    const wrong = [...items].filter((item) => rows.get(item) !== expected.get(item)?.[0])
    const untold = seesAll ? notes.filter((id) => !known.has(id)) : []
    return [...wrong, ...untold].map((item) => `${name}: ${item} is ${rows.get(item)}, not ${expected.get(item)?.[0]}`)
  })
}

/** What a subscriber must never be told: rows of others, states that never were, and states older than one before. */
export function forbidden({ options: { name, seesAll }, told }: Subscriber, { states }: History): readonly string[] {
  const found: string[] = []
  for (const [item, marks] of told) {
    let order = 0
    for (const mark of marks) {
      const state = states.get(mark)
      if (state === undefined || state.item !== item) found.push(`${name}: ${item} never was ${mark}`)
      else if (!seesAll && state.level !== 1) found.push(`${name}: ${item} is hidden as ${mark}`)
      else if (state.order < order) found.push(`${name}: ${item} went back to ${mark}`)
      order = Math.max(order, state?.order ?? 0)
    }
  }
  return found
}
