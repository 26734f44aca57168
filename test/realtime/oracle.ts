import { setTimeout as sleep } from 'node:timers/promises'
import type { TestDialect } from '../lib/databases.ts'
import {
  createRandom,
  FIELDS,
  randomCondition,
  SCORES,
  seen,
  STATUSES,
  type Condition,
  type Random,
  type Rights,
  type Row,
  type SeenRow,
} from './oracle-model.ts'
import { openStage, type Mutation, type Stage } from './stage.ts'

export interface OracleRun {
  readonly dialect: TestDialect
  readonly seed: number
  /** Pairs of a write and a subscriber. */
  readonly pairs: number
  /** Breaks the hub in one way, which the run has to notice. */
  readonly mutation?: Mutation
}

interface Subscriber {
  readonly user: User | null
  readonly filter: Condition | null
  readonly heard: Heard[]
  /** The rows that opaque texts stand for. */
  readonly opaque: Map<string, number>
  /** What it was told of each row in earlier steps. */
  readonly known: Map<number, readonly string[]>
}

interface Heard {
  readonly kind: string
  readonly data: string
  readonly rows: readonly { readonly key: string | null }[]
}

interface User {
  readonly permissions: Readonly<Record<keyof Rights, number>>
  rights: Rights
}

const TABLES = 'create table notes (id integer primary key, title varchar(40), status varchar(20), score integer);'
const USERS = 4

/** Random rules, writes and subscriptions. What each is told has to be the difference of what the model sees. */
export async function runOracle({ dialect, seed, pairs, mutation }: OracleRun): Promise<number> {
  const random = createRandom(seed)
  const stage = await openStage(dialect, TABLES, mutation)
  try {
    const rows = new Map<number, Row>()
    const rights = Array.from({ length: USERS }, () => randomRights(random))
    const users = await inTurn(rights, (each) => createUser(stage, each))
    const subscribers = await inTurn([null, null, ...users, ...users, ...users], (user) =>
      subscribe(stage, user, random.isOnce(3) ? null : randomCondition(random)),
    )
    let [checked, next] = [0, 1]
    while (checked < pairs) {
      const states = new Map<number, (Row | undefined)[]>()
      const created = new Set<number>()
      stage.log.hold()
      if (random.isOnce(12)) await changeRights(stage, random.pick(users), random)
      const writes = 1 + random.below(4)
      for (let write = 0; write < writes; write += 1)
        next = await randomWrite(stage, rows, states, created, next, random)
      stage.log.release()
      checked += await check(subscribers, states, created, rows)
    }
    if (stage.errors.length > 0) throw new Error(`the hub failed: ${String(stage.errors[0])}`)
    return checked
  } finally {
    await stage.close()
  }
}

async function inTurn<T, R>(list: readonly T[], work: (each: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (const each of list) done.push(await work(each))
  return done
}

const randomRights = (random: Random): Rights => ({
  whole: randomCondition(random),
  part: randomCondition(random),
  blind: randomCondition(random),
})

async function createUser(stage: Stage, rights: Rights): Promise<User & { token: string }> {
  const { token, policy } = await stage.user([
    { collection: 'notes', action: 'read', fields: ['*'], permissions: rights.whole },
    { collection: 'notes', action: 'read', fields: ['id', 'title'], permissions: rights.part },
    { collection: 'notes', action: 'read', fields: ['title'], permissions: rights.blind },
  ])
  const { data } = await stage.send('GET', `/permissions?filter[policy][_eq]=${policy}&sort=id`)
  const [whole = 0, part = 0, blind = 0] = (data as { id: number }[]).map(({ id }) => id)
  return { permissions: { whole, part, blind }, rights, token }
}

async function subscribe(
  stage: Stage,
  user: (User & { token: string }) | null,
  filter: Condition | null,
): Promise<Subscriber> {
  const query = { fields: [...FIELDS], ...(filter === null ? {} : { filter }) }
  const { told, next } = await stage.listen(user?.token ?? null, { collection: 'notes', query, hasKeys: true })
  await next()
  told.length = 0
  return { user, filter, heard: told as unknown as Heard[], opaque: new Map(), known: new Map() }
}

async function changeRights(stage: Stage, user: User, random: Random): Promise<void> {
  user.rights = randomRights(random)
  for (const name of ['whole', 'part', 'blind'] as const)
    await stage.send('PATCH', `/permissions/${user.permissions[name]}`, { permissions: user.rights[name] })
}

/** Returns the next free key. */
async function randomWrite(
  stage: Stage,
  rows: Map<number, Row>,
  states: Map<number, (Row | undefined)[]>,
  created: Set<number>,
  next: number,
  random: Random,
): Promise<number> {
  const keep = (id: number, row: Row | undefined) => {
    states.set(id, [...(states.get(id) ?? []), rows.get(id)])
    if (row === undefined) rows.delete(id)
    else rows.set(id, row)
  }
  const values = () => ({ status: random.pick(STATUSES), score: random.pick(SCORES) })
  const known = [...rows.keys()]
  if (known.length < 5 || random.isOnce(4)) {
    const row: Row = { id: next, title: `n${next}`, ...values() }
    keep(next, row)
    created.add(next)
    await must(stage.send('POST', '/items/notes', row))
    return next + 1
  }
  const ids = [...new Set([random.pick(known), random.pick(known)])]
  if (random.isOnce(4)) {
    for (const id of ids) keep(id, undefined)
    await must(stage.send('DELETE', '/items/notes', ids))
    return next
  }
  const data = values()
  for (const id of ids) keep(id, { ...(rows.get(id) as Row), ...data })
  await must(stage.send('PATCH', '/items/notes', { keys: ids, data }))
  return next
}

async function must(reply: ReturnType<Stage['send']>): Promise<void> {
  const { status } = await reply
  if (status >= 400) throw new Error(`a write was refused with ${status}`)
}

/** What one subscriber has to be told of a step, by key: everything that is right for it. */
function expected(
  { user, filter }: Subscriber,
  states: ReadonlyMap<number, readonly (Row | undefined)[]>,
  created: ReadonlySet<number>,
  rows: ReadonlyMap<number, Row>,
): Map<number, readonly string[]> {
  const rights = user?.rights ?? null
  const found = new Map<number, readonly string[]>()
  for (const [id, before] of states) {
    const now = seen(rows.get(id), rights, filter)
    const shown = before.flatMap((row) => seen(row, rights, filter) ?? [])
    // Of several states, one after the other may have been told to be over.
    if (now !== null) found.set(id, [`${created.has(id) ? 'create' : 'update'} ${JSON.stringify(now)}`])
    else if (shown.length > 0)
      found.set(id, [...new Set(shown.map((row) => (row.id === null ? BLIND_DELETE : 'delete')))])
  }
  return found
}

const BLIND_DELETE = 'delete of a key that is not seen'

/** By row; `wanted` has the rows that an opaque text can stand for which was not told before. */
function toldTo({ heard, opaque }: Subscriber, wanted: ReadonlyMap<number, readonly string[]>): Map<number, string[]> {
  const found = new Map<number, string[]>()
  const add = (id: number, telling: string) => found.set(id, [...(found.get(id) ?? []), telling])
  const rowOf = (text: string): number => {
    const known = new Set(opaque.values())
    const id =
      opaque.get(text) ?? [...wanted].find(([row, wants]) => wants.includes(BLIND_DELETE) && !known.has(row))?.[0]
    if (id === undefined) throw new Difference(`${text} stands for no row`)
    opaque.set(text, id)
    return id
  }
  for (const { kind, data, rows } of heard) {
    for (const [index, each] of (JSON.parse(data) as (SeenRow | number | string)[]).entries()) {
      if (typeof each === 'number') add(each, kind)
      else if (typeof each === 'string') add(rowOf(each), BLIND_DELETE)
      else {
        const shown = Object.fromEntries(FIELDS.map((name) => [name, each[name]]))
        const id = Number(each.title.slice(1))
        if (each.id === null) checkText(rows[index]?.key ?? '', id, opaque)
        else if (rows[index]?.key !== String(id)) throw new Difference(`${id} is told under another key`)
        add(id, `${kind} ${JSON.stringify(shown)}`)
      }
    }
  }
  return found
}

/** One text for each row, which is not its key. */
function checkText(text: string, id: number, opaque: Map<string, number>): void {
  const isNew = !opaque.has(text) && ![...opaque.values()].includes(id)
  if (text.length < 16 || (!isNew && opaque.get(text) !== id)) throw new Difference(`${id} is told as ${text}`)
  opaque.set(text, id)
}

const keysTold = ({ heard }: Subscriber): number =>
  new Set(heard.flatMap(({ rows }) => rows.map(({ key }) => key))).size

const PATIENCE = 5000
const QUIET = 15

async function check(
  subscribers: readonly Subscriber[],
  states: ReadonlyMap<number, readonly (Row | undefined)[]>,
  created: ReadonlySet<number>,
  rows: ReadonlyMap<number, Row>,
): Promise<number> {
  const wanted = subscribers.map((each) => expected(each, states, created, rows))
  const counts = () => subscribers.every((each, index) => keysTold(each) >= (wanted[index]?.size ?? 0))
  const end = performance.now() + PATIENCE
  while (!counts() && performance.now() < end) await sleep(2)
  // Whoever is told too much is so soon.
  await sleep(QUIET)
  for (const [index, subscriber] of subscribers.entries()) {
    const want = wanted[index] ?? new Map<number, readonly string[]>()
    const told = toldTo(subscriber, want)
    subscriber.heard.length = 0
    for (const id of new Set([...told.keys(), ...want.keys()])) {
      const tellings = told.get(id) ?? []
      // Everything is told at least once. What was not written in this step may only be repeated as it was told.
      const due = want.get(id) ?? (states.has(id) ? undefined : subscriber.known.get(id))
      const isRight = tellings.every((telling) =>
        due?.some((each) => isSame(telling, each, states.get(id)?.length ?? 0)),
      )
      if (!isRight || (want.has(id) && tellings.length === 0))
        throw new Difference(
          `${index}, ${id}: told ${tellings.join(' and ') || 'nothing'}, not ${due?.join(' or ') ?? 'nothing'}${states.has(id) ? '' : ', which nobody wrote'}`,
        )
      if (due !== undefined) subscriber.known.set(id, due)
    }
  }
  return states.size * subscribers.length
}

/** Whether a row that was created and changed at once is told as one or the other is left open: the client does the same. */
function isSame(told: string | undefined, want: string | undefined, changes: number): boolean {
  const kindless = (text: string | undefined) => (changes > 1 ? text?.replace(/^(create|update) /u, '') : text)
  return kindless(told) === kindless(want)
}

/** What was told is not what the model sees. */
export class Difference extends Error {
  override readonly name = 'Difference'
}
