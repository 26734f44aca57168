// Requests that run beside each other, each for a row whose content names it.
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestDialect } from '../lib/databases.ts'
import { authorization } from '../measurements/service.ts'
import type { Rng } from '../random/rng.ts'

export const ROWS = 500
/** Seconds that a row of the slow view takes. */
export const NAP = 0.5

const long = (text: string) => `${text} `.repeat(100).trim()

const values = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `(${index + 1}, '${long(`${name} ${index + 1}`)}')`).join(', ')

const naps: Readonly<Record<'postgres' | 'mysql', string>> = {
  postgres: `create function take_a_nap() returns text language sql volatile as $$ select pg_sleep(${NAP})::text $$;
    create view naps as select 1 as id, take_a_nap() as nap`,
  mysql: `create view naps as select 1 as id, sleep(${NAP}) as nap`,
}

/** `things` are only read; each client writes one row of `notes`. */
export const tables = (dialect: Exclude<TestDialect, 'sqlite'>, clients: number): string =>
  `create table things (id integer primary key, name text not null);
   create table notes (id integer primary key, name text not null);
   insert into things values ${values('thing', ROWS)};
   insert into notes values ${values('note', clients)};
   ${naps[dialect]}`

export interface Outcome {
  readonly began: number
  readonly ended: number
  /** 0 if there was no complete response. */
  readonly status: number
  readonly error: string | null
  /** The response does not belong to the request. */
  readonly isWrong: boolean
  readonly text: string
}

interface Asked {
  readonly method: 'GET' | 'PATCH'
  readonly path: string
  readonly body?: string
  /** What a response with status 200 must be. */
  readonly expected: string
}

const data = (id: number, name: string) => JSON.stringify({ data: { id, name } })
const rowsOf = (ids: readonly number[]) =>
  JSON.stringify({ data: ids.map((id) => ({ id, name: long(`thing ${id}`) })) })

/** Half of the requests read one row by its key, some several rows, some write. */
function choose(rng: Rng, client: number, turn: number): Asked {
  const id = rng.int(1, ROWS)
  const kind = rng.next()
  if (kind < 0.6)
    return { method: 'GET', path: `/items/things/${id}?fields=id,name`, expected: data(id, long(`thing ${id}`)) }
  if (kind < 0.8) {
    const first = Math.min(id, ROWS - 2)
    const path = `/items/things?fields=id,name&sort=id&limit=3&filter[id][_gte]=${first}`
    return { method: 'GET', path, expected: rowsOf([first, first + 1, first + 2]) }
  }
  const name = long(`note ${client} ${turn}`)
  const path = `/items/notes/${client}?fields=id,name`
  return { method: 'PATCH', path, body: JSON.stringify({ name }), expected: data(client, name) }
}

export function ask(port: number, agent: Agent, asked: Asked, patience: number): Promise<Outcome> {
  const began = performance.now()
  return new Promise((resolve) => {
    const end = (status: number, error: string | null, text: string) => {
      const isWrong = status === 200 && text !== asked.expected
      resolve({ began, ended: performance.now(), status, error, isWrong, text })
    }
    const failed = (error: Error) => end(0, 'code' in error ? String(error.code) : error.message, '')
    const { method, path, body } = asked
    const headers = { ...authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const options = { host: '127.0.0.1', port, agent, method, path, headers, signal: AbortSignal.timeout(patience) }
    const sent = request(options, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.once('end', () => end(answer.statusCode ?? 0, null, Buffer.concat(parts).toString()))
      answer.once('error', failed)
    })
    sent.once('error', failed)
    sent.end(body)
  })
}

export const nap = (port: number, agent: Agent, patience: number): Promise<Outcome> =>
  ask(port, agent, { method: 'GET', path: '/items/naps?fields=id', expected: '{"data":[{"id":1}]}' }, patience)

/** One client, which asks until `isOver` and then ends. */
export async function client(
  port: number,
  own: number,
  rng: Rng,
  options: { readonly patience: number; readonly isOver: () => boolean; readonly seen: (outcome: Outcome) => void },
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let turn = 0; !options.isOver(); turn += 1) {
    const outcome = await ask(port, agent, choose(rng, own, turn), options.patience)
    options.seen(outcome)
    // A refusal comes at once; a client that gets one waits.
    if (outcome.status !== 200) await sleep(20)
  }
  agent.destroy()
}
