import type { Rng } from '../random/rng.ts'

/** Names that exist, names that do not, and names that objects inherit. */
const names = ['id', 'title', 'author', 'editor', 'comments', 'rank', 'price', 'details', 'made', 'open', 'code']
const strange = [
  '__proto__',
  'constructor',
  'toString',
  '',
  '*',
  '_and',
  '$CURRENT_USER',
  'a.b',
  'a:b',
  '\u0000',
  '\ud800',
  '😀',
  '\'"`;--',
]

/** A request is invalid in one or two places only; otherwise the first one would hide the others. */
export const nameOf = (rng: Rng): string =>
  rng.weighted([
    [60, rng.pick(names)],
    [1, rng.pick(strange)],
    [1, pathOf(rng)],
  ])

type Table = 'articles' | 'authors' | 'comments'

const relations: Readonly<Record<Table, readonly (readonly [field: string, to: Table])[]>> = {
  articles: [
    ['author', 'authors'],
    ['editor', 'authors'],
    ['comments', 'comments'],
  ],
  authors: [
    ['articles', 'articles'],
    ['mentor', 'authors'],
  ],
  comments: [['article', 'articles']],
}

/** A path over existing relations. */
const wayOf = (rng: Rng, steps: number): string => {
  const way: string[] = []
  let table: Table = 'articles'
  for (let step = 0; step < steps; step += 1) {
    const [field, to]: readonly [string, Table] = rng.pick(relations[table])
    way.push(field)
    table = to
  }
  return [...way, rng.chance(0.2) ? '*' : 'id'].join('.')
}

export const pathOf = (rng: Rng): string =>
  rng.weighted([
    [
      4,
      Array.from({ length: rng.int(1, 4) }, () => rng.pick(['author', 'articles', 'comments', 'article'])).join('.') +
        '.id',
    ],
    [2, Array.from({ length: rng.int(1, 40) }, () => rng.pick(['*', 'author', 'comments', 'articles'])).join('.')],
    [1, `${'('.repeat(rng.int(1, 200))}id${')'.repeat(rng.int(0, 200))}`],
    [
      1,
      `${rng.pick(['year', 'count', 'json', 'nothing'])}(${rng.pick(['made', 'comments', 'details, a.b', 'year(made)', ''])})`,
    ],
    [1, '\\'.repeat(rng.int(1, 50))],
    [1, 'a'.repeat(rng.int(100, 5000))],
  ])

/** The size of a list: mostly small, sometimes large enough to break code without a limit. */
export const countOf = (rng: Rng): number =>
  rng.weighted([
    [70, rng.int(0, 5)],
    [20, rng.int(5, 100)],
    [8, rng.int(100, 2500)],
    [2, rng.int(2500, 20_000)],
  ])

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const texts = (rng: Rng): string =>
  rng.weighted([
    [
      4,
      rng.pick([
        'one',
        'two',
        '1',
        '-1',
        'null',
        'true',
        '2026-03-04',
        '2026-03-04T05:06:07Z',
        '550e8400-e29b-41d4-a716-446655440000',
      ]),
    ],
    [
      2,
      rng.pick([
        '\u0000',
        '\ud800',
        '\udfff',
        '\uffff',
        '\u202e',
        '日本',
        '😀',
        '%',
        '_',
        '\\',
        "'",
        '"',
        '`',
        '{',
        '[',
        '$NOW(-1 year)',
        '$CURRENT_USER.email',
        '$FOLLOW(a,b)',
      ]),
    ],
    [
      2,
      rng.pick([
        '9'.repeat(400),
        '1e400',
        '-0',
        '0x10',
        'NaN',
        'Infinity',
        '-infinity',
        '99999999999999999999',
        '0.00000000000000000001',
        '+1',
      ]),
    ],
    [1, 'x'.repeat(rng.int(100, 20_000))],
    [1, rng.pick(['../../etc/passwd', '%00', '%ff', '\r\nX: y', '<script>', '${1}', '{{1}}'])],
  ])

export function valueOf(rng: Rng, depth = 0): unknown {
  return rng.weighted<() => unknown>([
    [6, () => texts(rng)],
    [3, () => rng.pick([0, 1, -1, 2 ** 31, 2 ** 53, -(2 ** 63), 1.5, 1e308, 1e-308])],
    [2, () => rng.pick([null, true, false])],
    [depth < 3 ? 2 : 0, () => times(rng.int(0, 4), () => valueOf(rng, depth + 1))],
    [depth < 3 ? 2 : 0, () => Object.fromEntries(times(rng.int(0, 4), () => [nameOf(rng), valueOf(rng, depth + 1)]))],
    [0.3, () => nestedIn(rng.int(10, 3000), rng.chance(0.5))],
  ])()
}

function nestedIn(levels: number, isList: boolean): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level += 1) value = isList ? [value] : { a: value }
  return value
}

const operators = [
  '_eq',
  '_neq',
  '_lt',
  '_gte',
  '_in',
  '_nin',
  '_between',
  '_null',
  '_nnull',
  '_empty',
  '_contains',
  '_icontains',
  '_starts_with',
  '_ends_with',
  '_json',
  '_some',
  '_none',
  '_intersects',
  '_regex',
  '_nothing',
]

/** A condition that rows can match. */
const fitting = (rng: Rng): unknown =>
  rng.weighted<() => unknown>([
    [3, () => ({ id: { [rng.pick(['_eq', '_neq', '_lt', '_gte'])]: rng.int(0, 30) } })],
    [1, () => ({ id: { _in: times(countOf(rng), (index) => index) } })],
    [
      2,
      () => ({ title: { [rng.pick(['_contains', '_icontains', '_starts_with', '_neq'])]: `title ${rng.int(1, 9)}` } }),
    ],
    [1, () => ({ price: { _between: [rng.int(0, 9), `${rng.int(0, 99)}.5`] } })],
    [1, () => ({ details: { _json: { 'a.b[0]': { _gt: rng.int(0, 9) } } } })],
    [1, () => ({ author: { articles: { comments: { id: { _eq: rng.int(0, 9) } } } } })],
    [1, () => ({ comments: { [rng.pick(['_some', '_none'])]: { id: { _gt: rng.int(0, 40) } } } })],
    [1, () => ({ 'count(comments)': { _gt: rng.int(0, 3) } })],
    [1, () => ({ 'year(made)': { _lt: 2030 } })],
  ])()

export function filterOf(rng: Rng, depth = 0): unknown {
  return rng.weighted<() => unknown>([
    [8, () => fitting(rng)],
    [2, () => ({ [nameOf(rng)]: { [rng.pick(operators)]: valueOf(rng, 2) } })],
    [2, () => ({ [nameOf(rng)]: valueOf(rng, 2) })],
    [
      depth < 4 ? 3 : 0,
      () => ({ [rng.pick(['author', 'comments', 'articles', 'article'])]: filterOf(rng, depth + 1) }),
    ],
    [
      depth < 3 ? 3 : 0,
      () => ({
        [rng.pick(['_and', '_or'])]: times(depth === 0 ? countOf(rng) : rng.int(0, 3), () => filterOf(rng, depth + 2)),
      }),
    ],
    [0.5, () => wrapped(rng.int(5, 400), rng)],
    [0.5, () => ({ id: { _in: times(rng.int(1000, 15_000), (index) => index) } })],
    [0.3, () => valueOf(rng)],
  ])()
}

function wrapped(levels: number, rng: Rng): unknown {
  let filter: unknown = { id: { _eq: 1 } }
  const by = rng.pick(['_and', '_or', 'author', 'articles'])
  for (let level = 0; level < levels; level += 1) filter = by.startsWith('_') ? { [by]: [filter] } : { [by]: filter }
  return filter
}

/** A list of names: all of them known, or some unknown. */
const namesOf = (rng: Rng): string[] => {
  const isStrange = rng.chance(0.15)
  const goesFar = rng.chance(0.4)
  return times(countOf(rng), () => {
    if (isStrange) return nameOf(rng)
    return goesFar ? wayOf(rng, rng.int(0, 6)) : rng.pick(names)
  })
}

const listed = (rng: Rng): unknown => {
  const list = namesOf(rng)
  return rng.chance(0.3) ? list.join(',') : rng.chance(0.05) ? valueOf(rng) : list
}

const parameters: Readonly<Record<string, (rng: Rng) => unknown>> = {
  fields: listed,
  sort: (rng) => namesOf(rng).map((name) => `${rng.chance(0.5) ? '-' : ''}${name}`),
  filter: (rng) => (rng.chance(0.1) ? JSON.stringify(filterOf(rng)) : filterOf(rng)),
  search: (rng) => texts(rng),
  limit: (rng) => rng.pick<unknown>([0, 1, 10, -1, -2, 1e9, 1e20, '9'.repeat(50), null, [], 'x']),
  offset: (rng) => rng.pick<unknown>([0, 1, 1e9, 2 ** 53, -1, 'x', 2 ** 63]),
  page: (rng) => rng.pick<unknown>([0, 1, 2 ** 53, -1, 1e300]),
  meta: (rng) => rng.pick<unknown>(['*', 'cursor', 'filter_count,total_count', 'estimated_count', 'x', []]),
  cursor: (rng) => rng.pick<unknown>(['', 'x', 'e30', 'W10', '9'.repeat(5000), texts(rng)]),
  seek: (rng) => rng.pick<unknown>([0, 0.5, 1, '0.63', -1, 1.5, 1e300, 'x', [], texts(rng)]),
  count_up_to: (rng) => rng.pick<unknown>([1, 5, 2 ** 53, 0, 'x']),
  alias: (rng) =>
    Object.fromEntries(
      namesOf(rng).map((name, index) => [rng.chance(0.99) ? `a${index}` : nameOf(rng), name.split('.')[0]]),
    ),
  deep: (rng) => deepOf(rng, 0),
  aggregate: (rng) =>
    Object.fromEntries(
      times(rng.int(0, 4), () => [
        rng.pick(['count', 'sum', 'avg', 'min', 'max', 'countDistinct', 'countAll', 'nothing']),
        rng.chance(0.3) ? '*' : listed(rng),
      ]),
    ),
  groupBy: listed,
  backlink: (rng) => rng.pick<unknown>(['false', true, 'x']),
  export: (rng) => rng.pick<unknown>(['csv', 'json', 'xml', 'yaml', 'nothing']),
  version: () => 'x',
  nothing: (rng) => valueOf(rng),
}

function deepOf(rng: Rng, depth: number): unknown {
  if (depth > 12 || rng.chance(0.1)) return valueOf(rng)
  return Object.fromEntries(
    times(depth === 0 ? rng.int(0, 3) : 1, () => [
      nameOf(rng),
      rng.chance(0.5)
        ? { _limit: rng.pick([-1, 1, 1e9]), _filter: filterOf(rng, 3), _sort: listed(rng) }
        : deepOf(rng, depth + 1),
    ]),
  )
}

export function queryOf(rng: Rng): Record<string, unknown> {
  const chosen = rng.sample(Object.keys(parameters), 0, 4)
  return Object.fromEntries(chosen.map((name) => [name, parameters[name]?.(rng)]))
}
