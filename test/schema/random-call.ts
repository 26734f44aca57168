// Random schema management calls, most of them hostile in some part.
import { MARK } from './mark.ts'

export interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly isDryRun: boolean
}

/** The existing collections and their fields. */
export type World = ReadonlyMap<string, readonly string[]>

export interface Rng {
  /** From 0 (inclusive) to the limit (exclusive). */
  below(limit: number): number
  chance(percent: number): boolean
  pick<T>(list: readonly T[]): T
}

export function createRng(seed: number): Rng {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    chance: (percent) => next() * 100 < percent,
    pick: <T>(list: readonly T[]) => list[below(list.length)] as T,
  }
}

const types = [
  'string',
  'text',
  'integer',
  'bigInteger',
  'float',
  'decimal',
  'boolean',
  'date',
  'time',
  'dateTime',
  'timestamp',
  'json',
  'uuid',
  'csv',
  'hash',
  'binary',
  'alias',
  'geometry',
  'geometry.Point',
  'unknown',
]

const texts = [
  `${MARK}'; drop table keep; --`,
  `${MARK}"; drop table keep; --`,
  `${MARK}\\'; drop table keep; --`,
  `${MARK}''`,
  `${MARK}$$; drop table keep; $$`,
  `${MARK}::text); drop table keep; --`,
  `${MARK} -- comment`,
  `${MARK} /* comment`,
  `${MARK}\u0000zero`,
  `${MARK}\ud800`,
  `${MARK}\n\r\t\u2028`,
  `${MARK}%s %I $1 ? :name`,
  `${MARK}"."keep`,
  `${MARK}'||(select version())||'`,
  `E'${MARK}\\x27'`,
  `U&"${MARK}\\0041"`,
  `${MARK}😀`,
  `${MARK}${'x'.repeat(300)}`,
]

const expressions = [
  'now()',
  'CURRENT_TIMESTAMP',
  'current_timestamp(3)',
  'gen_random_uuid()',
  'random()',
  'pg_sleep(5)',
  `nextval('x')`,
  'null',
  'NULL',
  'true',
  '1+1',
  `(select 1)`,
  'current_user',
  `'a'::text`,
  '{}',
  '[]',
  `{"a": 1}`,
  'infinity',
  'NaN',
  '1e400',
  '',
]

const odd = [null, true, false, 0, -1, 1.5, 2 ** 31, 2 ** 53, 1e300, [], {}, [1], { a: 1 }, '', ' ', 'x']

const hostile = (rng: Rng): unknown => rng.pick<unknown>([...texts, ...expressions, ...odd])

const plainName = (rng: Rng) => `${MARK}_${rng.pick(['a', 'b', 'c', 'd', 'Ä ö', 'x-y', 'select'])}${rng.below(40)}`
const anyName = (rng: Rng): unknown =>
  rng.chance(75) ? plainName(rng) : rng.chance(70) ? rng.pick(texts) : hostile(rng)

function schemaObject(rng: Rng): unknown {
  if (rng.chance(5)) return hostile(rng)
  const value = (normal: unknown) => (rng.chance(80) ? normal : hostile(rng))
  const entries: [string, unknown][] = []
  const put = (key: string, percent: number, normal: unknown) => {
    if (rng.chance(percent)) entries.push([key, value(normal)])
  }
  put('default_value', 45, rng.pick<unknown>([...expressions, ...texts, ...odd]))
  put('max_length', 20, rng.pick([1, 12, 255, 70_000, '40']))
  put('numeric_precision', 15, rng.below(40))
  put('numeric_scale', 15, rng.below(20))
  put('is_nullable', 25, rng.chance(50))
  put('is_unique', 15, rng.chance(60))
  put('is_indexed', 15, rng.chance(60))
  put('comment', 25, rng.pick(texts))
  put('is_primary_key', 4, rng.chance(50))
  put('has_auto_increment', 4, rng.chance(50))
  put('data_type', 4, rng.pick(texts))
  put('generation_expression', 4, rng.pick(texts))
  put('enum_values', 4, texts.slice(0, 3))
  put(rng.pick(texts), 2, 1)
  return Object.fromEntries(entries)
}

function metaObject(rng: Rng): unknown {
  if (rng.chance(8)) return hostile(rng)
  return {
    ...(rng.chance(50) ? { note: rng.pick(texts) } : {}),
    ...(rng.chance(20)
      ? { special: rng.pick<unknown>([['alias', 'no-data'], ['cast-json'], 'hash', ['o2m'], texts[0]]) }
      : {}),
    ...(rng.chance(20) ? { options: { a: rng.pick(texts) } } : {}),
    ...(rng.chance(10) ? { sort: rng.below(9) } : {}),
    ...(rng.chance(5) ? { width: hostile(rng) } : {}),
    ...(rng.chance(4) ? { [rng.pick(texts)]: 1 } : {}),
  }
}

/** Alias fields are flagged, so that the remains of a column can be distinguished from them. */
function fieldBody(rng: Rng): Record<string, unknown> {
  const type: unknown = rng.chance(92) ? rng.pick(types) : hostile(rng)
  return {
    field: anyName(rng),
    type,
    ...(rng.chance(70) ? { schema: type === 'alias' ? null : schemaObject(rng) } : {}),
    ...(type === 'alias'
      ? { meta: { special: ['alias', 'no-data'] } }
      : rng.chance(40)
        ? { meta: metaWithoutAlias(rng) }
        : {}),
  }
}

/** Leaves out `special`, which marks alias fields: a call neither sets nor removes the mark. */
function metaWithoutAlias(rng: Rng): unknown {
  const meta = metaObject(rng)
  if (typeof meta !== 'object' || meta === null || !('special' in meta)) return meta
  const { special: _, ...rest } = meta
  return rest
}

const segment = (name: unknown) => encodeURIComponent(String(name).toWellFormed())

const relationBody = (rng: Rng, collections: readonly string[]) => ({
  related_collection: rng.chance(85) ? rng.pick(collections) : hostile(rng),
  ...(rng.chance(60)
    ? {
        schema: rng.chance(85)
          ? {
              on_delete: rng.chance(70)
                ? rng.pick(['CASCADE', 'SET NULL', 'no action', 'RESTRICT', 'SET DEFAULT'])
                : hostile(rng),
              ...(rng.chance(30) ? { on_update: rng.chance(70) ? 'CASCADE' : hostile(rng) } : {}),
              ...(rng.chance(10) ? { constraint_name: rng.pick(texts) } : {}),
            }
          : hostile(rng),
      }
    : {}),
  ...(rng.chance(40)
    ? {
        meta: rng.chance(85)
          ? {
              one_field: rng.pick([...texts, 'list']),
              sort_field: rng.pick(texts),
              one_deselect_action: rng.pick(['delete', texts[0]]),
            }
          : hostile(rng),
      }
    : {}),
})

/** The highest turn that creates a collection. */
const CREATING = 73

export function randomCall(rng: Rng, world: World): Call {
  const collections = [...world.keys()]
  const own = collections.filter((name) => name.startsWith(MARK))
  const collection = rng.chance(95) ? rng.pick(collections) : anyName(rng)
  const fields = world.get(String(collection)) ?? []
  const field: unknown = fields.length > 0 && rng.chance(90) ? rng.pick(fields) : anyName(rng)
  const isDryRun = rng.chance(12)
  const address = `/fields/${segment(collection)}`
  const call = (method: string, path: string, body?: unknown): Call => ({ method, path, body, isDryRun })
  // If every collection was dropped, the call creates one.
  const turn = own.length === 0 ? CREATING : rng.below(100)
  if (turn < 30 && fields.length < 30) return call('POST', address, rng.chance(95) ? fieldBody(rng) : hostileBody(rng))
  if (turn < 55) {
    const body = {
      ...(rng.chance(35) ? { type: rng.chance(90) ? rng.pick(types) : hostile(rng) } : {}),
      ...(rng.chance(60) ? { schema: schemaObject(rng) } : {}),
      ...(rng.chance(25) ? { meta: metaWithoutAlias(rng) } : {}),
      ...(rng.chance(5) ? { field: anyName(rng) } : {}),
    }
    return rng.chance(85)
      ? call('PATCH', `${address}/${segment(field)}`, body)
      : call('PATCH', address, [
          { ...body, field },
          { field: rng.pick([...fields, 'id']), meta: metaWithoutAlias(rng) },
        ])
  }
  if (turn < 68) return call('DELETE', `${address}/${segment(field)}`)
  if (turn <= CREATING && own.length < 5)
    return call('POST', '/collections', {
      collection: rng.chance(70) ? `${MARK}_table${rng.below(8)}` : anyName(rng),
      schema: rng.chance(85) ? (rng.chance(80) ? {} : { comment: rng.pick(texts) }) : hostile(rng),
      ...(rng.chance(60) ? { meta: { note: rng.pick(texts) } } : {}),
      ...(rng.chance(70) ? { fields: Array.from({ length: rng.below(4) }, () => fieldBody(rng)) } : {}),
    })
  if (turn < 78 && own.length > 0)
    return call('DELETE', `/collections/${segment(rng.chance(90) ? rng.pick(own) : anyName(rng))}`)
  if (turn < 82)
    return call('PATCH', `/collections/${segment(collection)}`, {
      meta: { note: rng.pick(texts), sort_field: rng.pick(texts) },
    })
  if (turn < 92) return call('POST', '/relations', { collection, field, ...relationBody(rng, collections) })
  const { related_collection: _, ...rest } = relationBody(rng, collections)
  if (turn < 96) return call('PATCH', `/relations/${segment(collection)}/${segment(field)}`, rest)
  return call('DELETE', `/relations/${segment(collection)}/${segment(field)}`)
}

const hostileBody = (rng: Rng): unknown => {
  const body = hostile(rng)
  return typeof body === 'object' && body !== null ? body : { [String(body)]: body }
}
