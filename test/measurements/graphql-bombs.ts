/** Documents that are small to send and expensive to process. Each must be refused at once. */
export interface Bomb {
  readonly what: string
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
}

const times = (count: number, make: (index: number) => string, separator = ' ') =>
  Array.from({ length: count }, (_, index) => make(index)).join(separator)

const nested = (levels: number, open: string, inside: string, close: string) =>
  `${open.repeat(levels)}${inside}${close.repeat(levels)}`

const deepValue = (levels: number): unknown => {
  let value: unknown = { title: { _eq: 'x' } }
  for (let level = 0; level < levels; level += 1) value = { _and: [value] }
  return value
}

export const bombs: readonly Bomb[] = [
  { what: 'aliases at the root', query: `{ ${times(1000, (i) => `a${i}: articles { id }`)} }` },
  { what: 'aliases of one leaf', query: `{ articles { ${times(1600, (i) => `a${i}: title`)} } }` },
  { what: 'one leaf again and again', query: `{ articles { ${times(2400, () => 'id')} } }` },
  { what: 'one root field again and again', query: `{ ${times(1000, () => 'articles { id }')} }` },
  {
    what: 'inline fragments inside inline fragments',
    query: `{ articles { ${nested(600, '... on articles { ', 'id', ' }')} } }`,
  },
  {
    what: 'inline fragments, twenty times twenty',
    query: `{ articles { ${times(20, () => `... on articles { ${times(20, () => '... on articles { id title }')} }`)} } }`,
  },
  {
    what: 'inline fragments, forty times twenty, over one relation',
    query: `{ articles { ${times(40, () => `... { author { ${times(20, () => '... { id name }')} } }`)} } }`,
  },
  {
    what: 'fragments that open each other twice',
    query: `{ articles { ...f30 } } fragment f0 on articles { id } ${times(30, (i) => `fragment f${i + 1} on articles { ...f${i} ...f${i} }`)}`,
  },
  {
    what: 'fragments over a relation that open each other twice',
    query: `{ articles { ...f14 } } fragment f0 on articles { id } ${times(14, (i) => `fragment f${i + 1} on articles { x: author { articles { ...f${i} } } y: author { articles { ...f${i} } } }`)}`,
  },
  {
    what: 'a fragment inside itself',
    query: '{ articles { ...f } } fragment f on articles { id ...g } fragment g on articles { ...f }',
  },
  { what: 'levels without end', query: nested(900, '{ articles ', '{ id }', ' }') },
  {
    what: 'levels over relations',
    query: `{ articles { ${nested(200, 'author { articles { ', 'id', ' } }')} } }`,
  },
  { what: 'directives on one field', query: `{ articles { id ${times(800, () => '@include(if: true)')} } }` },
  { what: 'directives on many fields', query: `{ articles { ${times(500, (i) => `id @skip(if: ${i % 2 === 0})`)} } }` },
  { what: 'unknown directives', query: `{ articles { ${times(900, (i) => `id @d${i}`)} } }` },
  {
    what: 'variables nobody uses',
    query: `query Q(${times(900, (i) => `$v${i}: Int`, ', ')}) { articles { id } }`,
  },
  { what: 'lists in lists', query: `{ articles(sort: ${nested(2000, '[', '"id"', ']')}) { id } }` },
  {
    what: 'conditions in conditions',
    query: `{ articles(filter: ${nested(700, '{_and: [', '{title: {_eq: "x"}}', ']}')}) { id } }`,
  },
  {
    what: 'conditions in conditions, as a variable',
    query: 'query Q($f: articles_filter) { articles(filter: $f) { id } }',
    variables: { f: deepValue(3000) },
  },
  { what: 'more tokens than allowed', query: `{ articles { ${times(20_000, (i) => `f${i}`)} } }` },
  { what: 'a very long name', query: `{ articles { ${'a'.repeat(200_000)} } }` },
  { what: 'many operations', query: times(600, (i) => `query Q${i} { articles { id } }`) },
  {
    what: 'fragments nobody uses',
    query: `{ articles { id } } ${times(600, (i) => `fragment f${i} on articles { id }`)}`,
  },
  {
    what: 'one key, many arguments',
    query: `{ articles { ${times(400, (i) => `comments(limit: ${i}) { id }`)} } }`,
  },
  {
    what: 'introspection in circles',
    query: `{ __schema { types { ${nested(9, 'fields { type { ', 'name', ' } }')} } } }`,
  },
  {
    what: 'introspection in circles, other ways round',
    query: `{ __type(name: "Query") { ${nested(8, 'fields { args { type { inputFields { type { ', 'name', ' } } } } }')} } }`,
  },
  {
    what: 'introspection in small circles',
    query: `{ __schema { types { ${nested(4, 'fields { type { ', 'name', ' } }')} } } }`,
  },
  { what: 'unknown fields', query: `{ articles { ${times(1500, (i) => `no${i}`)} } }` },
  { what: 'unknown arguments', query: `{ articles(${times(900, (i) => `no${i}: 1`)}) { id } }` },
  {
    what: 'rows times rows',
    query: '{ articles(limit: 100000) { comments(limit: 100000) { article { comments(limit: 100000) { id } } } } }',
  },
]

/** The largest accepted documents of different kinds. */
export const largest: readonly Bomb[] = [
  {
    what: 'root fields',
    query: `{ ${times(50, (i) => `a${i}: articles(limit: 1) { ${times(36, (j) => (j % 2 === 0 ? 'id' : 'title'))} }`)} }`,
  },
  {
    what: 'fields of one object',
    query: `{ articles { ${times(99, () => 'id title')} ${times(190, (i) => `x${i}: title`)} } }`,
  },
  {
    what: 'inline fragments',
    query: `{ articles { ${times(30, () => `... on articles { ${times(20, (i) => (i % 10 === 0 ? '... { id }' : ''))} author { name } }`)} } }`,
  },
  {
    what: 'fragments that open each other',
    query: `{ articles { ...f4 } } fragment f0 on articles { id title } ${times(4, (i) => `fragment f${i + 1} on articles { ...f${i} a${i}: author { articles(limit: 2) { ...f${i} } } }`)}`,
  },
  {
    what: 'one relation under many keys',
    query: `{ articles { ${times(190, (i) => `c${i}: comments(limit: ${i}, sort: ["-id"]) { id body }`)} } }`,
  },
  {
    what: 'conditions',
    query: `{ articles(filter: {_or: [${times(300, (i) => `{title: {_eq: "t${i}"}}`, ', ')}]}) { id } }`,
  },
]
