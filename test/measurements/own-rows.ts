// npm run verify own-rows
// Ten thousand users who each hear of their own rows: what a change of one of these costs the database, the write included.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { authorization, untilReady, withService, type Figure, type Service } from './service.ts'
import { Listener } from './sockets.ts'

const USERS = 10_000
const CHANGES = 1000
const AT_ONCE = 500
const tokenOf = (n: number) => `own-rows-user-token-${n}`

async function send({ url }: Service, method: string, path: string, body: unknown): Promise<unknown> {
  const headers = { ...authorization, 'content-type': 'application/json' }
  const answer = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text.slice(0, 300)}`)
  return text === '' ? null : (JSON.parse(text) as { data: unknown }).data
}

/** Users of one role, who may read the rows that they own. */
async function createUsers(service: Service): Promise<void> {
  const policy = (await send(service, 'POST', '/policies', { name: 'own rows' })) as { id: string }
  await send(service, 'POST', '/permissions', {
    policy: policy.id,
    collection: 'things',
    action: 'read',
    fields: ['*'],
    permissions: { owner: { _eq: '$CURRENT_USER' } },
  })
  const role = (await send(service, 'POST', '/roles', { name: 'owners', policies: [{ policy: policy.id }] })) as {
    id: string
  }
  for (let from = 0; from < USERS; from += AT_ONCE) {
    const users = Array.from({ length: AT_ONCE }, (_, n) => ({
      email: `user${from + n}@example.com`,
      role: role.id,
      token: tokenOf(from + n),
    }))
    const made = (await send(service, 'POST', '/users?limit=-1&fields=id', users)) as { id: string }[]
    const things = made.map(({ id }, n) => ({ id: from + n, name: 'thing', owner: id }))
    await send(service, 'POST', '/items/things', things)
  }
}

async function listen({ port }: Service): Promise<readonly Listener[]> {
  const listeners: Listener[] = []
  while (listeners.length < USERS) {
    const some = Array.from({ length: 100 }, (_, n) => new Listener(port, tokenOf(listeners.length + n)))
    await Promise.all(some.map((listener) => listener.subscribe()))
    listeners.push(...some)
  }
  return listeners
}

/** Milliseconds of processor time of all processes that serve the database. */
async function databaseTime(database: TestDatabase): Promise<number> {
  const rows = await database.query('select pid from pg_stat_activity where datname = current_database()')
  const times = rows.map((row) => {
    const fields = readFileSync(`/proc/${row[0]}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  })
  return times.reduce((sum, time) => sum + time, 0)
}

/** What the database does in a second of some work. Credentials and permissions of all users are looked at without changes too. */
async function perSecond(database: TestDatabase, work: () => Promise<void>) {
  const [before, began] = [await databaseTime(database), performance.now()]
  await work()
  const seconds = (performance.now() - began) / 1000
  return { rate: ((await databaseTime(database)) - before) / seconds, seconds }
}

async function changeRows(service: Service, listeners: readonly Listener[]): Promise<number> {
  let untold = 0
  for (let n = 0; n < CHANGES; n += 1) {
    const listener = listeners[(n * 47) % USERS]
    const told = listener?.next()
    await send(service, 'PATCH', `/items/things/${(n * 47) % USERS}`, { name: `change ${n}` })
    const isTold = await Promise.race([told?.then(() => true), sleep(5000, false)])
    if (isTold !== true) untold += 1
  }
  return untold
}

export async function ownRows(): Promise<readonly Figure[]> {
  const database = await createDatabase('postgres')
  try {
    await database.query('create table things (id integer primary key, name text, owner uuid)')
    const settings = {
      DATABASE_URL: database.url,
      LOG_LEVEL: 'warn',
      WEBSOCKETS_ENABLED: 'true',
      WEBSOCKETS_HEARTBEAT_PERIOD: '600',
      REALTIME_USER_CONNECTIONS: '100000',
      EVENTS_OUTSIDE: 'none',
    }
    return await withService(settings, async (service) => {
      await untilReady(service)
      await createUsers(service)
      const listeners = await listen(service)
      await sleep(5000)
      const idle = await perSecond(database, () => sleep(10_000))
      const untold = { value: 0 }
      const busy = await perSecond(database, async () => {
        untold.value = await changeRows(service, listeners)
      })
      const each = ((busy.rate - idle.rate) * busy.seconds) / CHANGES
      const others = listeners.reduce((sum, { told }) => sum + told, 0) - CHANGES + untold.value
      for (const { socket } of listeners) socket.destroy()
      return [
        {
          what: `time of the database for one change, ${USERS} owners`,
          value: each,
          unit: 'ms',
          bound: { atMost: 10 },
        },
        { what: 'time of the database in a second without changes', value: idle.rate, unit: 'ms' },
        { what: 'changes a second', value: CHANGES / busy.seconds, unit: '' },
        { what: 'owners who were not told of their row', value: untold.value, unit: '', bound: { atMost: 0 } },
        { what: 'events told to others', value: others, unit: '', bound: { atMost: 0 } },
      ]
    })
  } finally {
    await database.drop()
  }
}
