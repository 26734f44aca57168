import { dataOf } from '../lib/service.ts'
import { createWorld, grant, type Caller, type Row, type World } from '../security/world.ts'
import { createRng, type Rng } from '../random/rng.ts'

/** A request that is sent and also explained. */
interface Request {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

export interface Options {
  readonly seed: number
  readonly pairs: number
  readonly seconds: number
  readonly say: (line: string) => void
}

export interface Result {
  readonly pairs: number
  readonly allowed: number
  readonly disagreements: readonly string[]
}

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  articles: ['id', 'title', 'status', 'internal', 'code', 'rank', 'author', 'owner', 'notes'],
  authors: ['id', 'name', 'email', 'salary', 'articles'],
  notes: ['id', 'text', 'private', 'article'],
  vault: ['id', 'word'],
}
const RELATIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  articles: { author: 'authors', notes: 'notes' },
  authors: { articles: 'articles' },
  notes: { article: 'articles' },
  vault: {},
}
const COLLECTIONS = Object.keys(FIELDS)
const fieldsOf = (collection: string) => FIELDS[collection] ?? []

function randomRule(rng: Rng, collection: string): Row | null {
  return rng.pick<Row | null>([
    null,
    null,
    { id: { _lt: 3 } },
    { id: { _in: [] } },
    collection === 'articles' ? { author: { name: { _eq: 'Ada' } } } : { id: { _gt: 1 } },
    { _or: [{ id: { _eq: 1 } }, { id: { _eq: '$CURRENT_USER' } }] },
  ])
}

function randomPermissions(rng: Rng): Row[] {
  return COLLECTIONS.flatMap((collection) =>
    ['create', 'read', 'update', 'delete'].flatMap((action) => {
      if (rng.chance(0.2)) return []
      const all = fieldsOf(collection)
      const fields = rng.chance(0.6) ? ['*'] : rng.sample(all, 1, all.length)
      const validation =
        action !== 'read' && collection === 'articles' && rng.chance(0.3)
          ? rng.pick<Row>([{ status: { _eq: 'draft' } }, { _or: [{ rank: { _lt: 5 } }, { title: { _nnull: true } }] }])
          : null
      return [grant(collection, action, { fields, permissions: randomRule(rng, collection), validation })]
    }),
  )
}

function randomPath(rng: Rng, collection: string, depth: number): string {
  const name = rng.chance(0.03) ? 'nowhere' : rng.pick([...fieldsOf(collection), '*'])
  const to = RELATIONS[collection]?.[name]
  return to !== undefined && depth < 3 && rng.chance(0.6) ? `${name}.${randomPath(rng, to, depth + 1)}` : name
}

function randomFilter(rng: Rng, collection: string, depth = 0): Row {
  const name = rng.pick(fieldsOf(collection))
  const to = RELATIONS[collection]?.[name]
  if (to !== undefined && depth < 2) return { [name]: randomFilter(rng, to, depth + 1) }
  if (depth < 2 && rng.chance(0.2))
    return { [rng.pick(['_or', '_and'])]: [randomFilter(rng, collection, depth + 1), randomFilter(rng, collection, 2)] }
  return { [name]: { [rng.pick(['_nnull', '_null'])]: true } }
}

function randomQuery(rng: Rng, collection: string): string {
  const parts: string[] = []
  const add = (name: string, value: string) => parts.push(`${name}=${encodeURIComponent(value)}`)
  const path = () => randomPath(rng, collection, 0)
  if (rng.chance(0.2)) {
    add(`aggregate[${rng.pick(['count', 'min', 'countDistinct'])}]`, rng.pick([...fieldsOf(collection), '*']))
    if (rng.chance(0.5)) add('groupBy', rng.pick(fieldsOf(collection)))
  } else if (rng.chance(0.7)) add('fields', Array.from({ length: rng.int(1, 3) }, path).join(','))
  if (rng.chance(0.3)) add('filter', JSON.stringify(randomFilter(rng, collection)))
  if (rng.chance(0.25)) add('sort', `${rng.chance(0.5) ? '-' : ''}${path().replaceAll('.*', '.id')}`)
  if (rng.chance(0.1)) add('alias[other]', rng.pick(fieldsOf(collection)))
  if (rng.chance(0.1)) add('fields[]', rng.pick(['other', 'count(notes)', 'count(articles)', 'year(title)']))
  if (rng.chance(0.1)) add('search', 'o')
  if (rng.chance(0.15)) {
    const [name, to] = rng.pick(Object.entries(RELATIONS[collection] ?? {}).concat([['nowhere', 'notes']]))
    add('deep', JSON.stringify({ [name]: { _filter: randomFilter(rng, to) } }))
  }
  if (rng.chance(0.1)) add('meta', rng.pick(['*', 'total_count', 'cursor']))
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

function randomItem(rng: Rng, collection: string, depth = 0): Row {
  const names = rng.sample(fieldsOf(collection), 1, 3).filter((name) => name !== 'owner')
  return Object.fromEntries(
    names.map((name) => {
      const to = RELATIONS[collection]?.[name]
      if (to === undefined)
        return [
          name,
          name === 'id' ? rng.int(1, 6) : ['rank', 'salary'].includes(name) ? rng.int(1, 9) : `v${rng.int(1, 99_999)}`,
        ]
      const isList = name === 'notes' || name === 'articles'
      const inner = depth < 2 && rng.chance(0.6) ? randomItem(rng, to, depth + 1) : rng.int(1, 4)
      return [name, isList ? [inner] : inner]
    }),
  )
}

function randomRequest(rng: Rng): Request {
  const collection = rng.pick([...COLLECTIONS, 'articles', 'articles', 'nothing'])
  const at = `/items/${collection}`
  const key = rng.int(1, 4)
  const known = FIELDS[collection] === undefined ? 'vault' : collection
  return rng.pick<() => Request>([
    () => ({ method: 'GET', path: `${at}${randomQuery(rng, known)}` }),
    () => ({ method: 'GET', path: `${at}${randomQuery(rng, known)}` }),
    () => ({ method: 'GET', path: `${at}/${key}${rng.chance(0.5) ? `?fields=${randomPath(rng, known, 0)}` : ''}` }),
    () => ({
      method: 'SEARCH',
      path: at,
      body: { query: { filter: randomFilter(rng, known), fields: [randomPath(rng, known, 0)] } },
    }),
    () => ({ method: 'POST', path: at, body: randomItem(rng, known) }),
    () => ({ method: 'POST', path: at, body: [randomItem(rng, known), randomItem(rng, known)] }),
    () => ({ method: 'PATCH', path: `${at}/${key}`, body: randomItem(rng, known) }),
    () => ({
      method: 'PATCH',
      path: at,
      body: { query: { filter: randomFilter(rng, known) }, data: randomItem(rng, known) },
    }),
    () => ({ method: 'PUT', path: `${at}/${key}`, body: randomItem(rng, known) }),
    () => ({ method: 'DELETE', path: `${at}/${key}` }),
    () => ({ method: 'DELETE', path: at, body: [key, 2] }),
  ])()
}

const PER_CALLER = 40

/** Explains a request, sends it as a dry run and compares the two. */
export async function compareExplained({ seed, pairs, seconds, say }: Options): Promise<Result> {
  const rng = createRng(seed)
  const world: World = await createWorld()
  const end = Date.now() + seconds * 1000
  const disagreements: string[] = []
  let [asked, allowed] = [0, 0]
  try {
    while (asked < pairs && (asked === 0 || Date.now() < end)) {
      const caller: Caller = rng.chance(0.1) ? world.nobody : await world.person(randomPermissions(rng))
      for (let index = 0; index < PER_CALLER && asked < pairs; index += 1) {
        const { method, path, body } = randomRequest(rng)
        const user = caller.id === '' ? null : caller.id
        const question = { user, method, path, ...(body === undefined ? {} : { body }) }
        const told = dataOf(await world.admin.send('POST', '/permissions/explain', question)) as { allowed: boolean }
        const real = await caller.send(method, path, body, { prefer: 'tx=rollback' })
        asked += 1
        if (told.allowed) allowed += 1
        if (told.allowed !== real.status < 400)
          disagreements.push(`${JSON.stringify(question)}: told ${told.allowed}, answered ${real.status} ${real.text}`)
      }
      if (asked % 1000 < PER_CALLER) say(`${asked} pairs, ${allowed} allowed, ${disagreements.length} disagreements`)
    }
  } finally {
    await world.end()
  }
  return { pairs: asked, allowed, disagreements }
}
