import { describe, expect, it } from 'vitest'
import { fixedSchema } from './fixed-schema.ts'
import { predict, type WriteRequest } from './predict.ts'
import { column } from './random-schema.ts'
import { createSchema, type ForeignKey, type OnDelete, type Schema, type Table } from './schema.ts'
import { compareAnswer, compareRows, plainState, type Stored } from './match-rows.ts'
import { smallerSequences } from './shrink.ts'
import { emptyState, newMade, newRow, rowsOf, type State, type Value, valueOf } from './state.ts'

type Cells = Readonly<Record<string, string | null>>

const stateWith = (schema: Schema, rows: Readonly<Record<string, readonly Cells[]>>): State => {
  const state = emptyState(schema)
  for (const [name, list] of Object.entries(rows))
    for (const cells of list) {
      const columns = schema.tables.get(name)?.columns ?? []
      rowsOf(state, name).push(newRow(new Map(columns.map((one) => [one.name, cells[one.name] ?? null]))))
    }
  return state
}

const request = (method: WriteRequest['method'], address: string, body?: unknown): WriteRequest => {
  const [table = '', key = null] = address.split('/')
  return { method, table, key, onConflict: null, body }
}

/** The named columns of a table after the request, or the kind of outcome if the request was not done. */
function after(schema: Schema, state: State, sent: WriteRequest, table: string, columns: readonly string[]): unknown {
  const outcome = predict(schema, state, sent)
  if (outcome.kind !== 'done') return outcome.kind
  return rowsOf(outcome.state, table).map((row) =>
    columns.map((name) => {
      const value = valueOf(row, name)
      return typeof value === 'object' && value !== null ? 'made' : value
    }),
  )
}

const fixed = fixedSchema()
const library = stateWith(fixed, {
  authors: [
    { id: '1', label: 'Ada' },
    { id: '2', label: 'Bob' },
  ],
  articles: [
    { id: '1', label: 'a', slug: 'a', author: '1' },
    { id: '2', label: 'b', slug: 'b', author: '1' },
    { id: '3', label: 'c', author: '2' },
  ],
  comments: [
    { id: '1', label: 'x', article: '1', pos: '4' },
    { id: '2', label: 'y', article: '1', pos: null },
  ],
  tags: [{ id: '1', name: 'math' }],
  articles_tags: [{ id: '1', articles_id: '1', tags_id: '1', sort: '2' }],
  pages: [{ id: '1', label: 'home' }],
  heroes: [{ id: '1', label: 'h', size: '3' }],
  pages_blocks: [{ id: '1', pages_id: '1', collection: 'heroes', item: '1', sort: '1' }],
})
const books = (sent: WriteRequest, table: string, ...columns: string[]) => after(fixed, library, sent, table, columns)

describe('writes by query', () => {
  const labels = (body: object) =>
    books(request('PATCH', 'comments', { ...body, data: { label: 'new' } }), 'comments', 'label')
  const [both, first, none] = [
    [['new'], ['new']],
    [['new'], ['y']],
    [['x'], ['y']],
  ]
  const x = { label: { _eq: 'x' } }

  it('need a condition, or all', () => {
    for (const query of [{}, { filter: {} }, { filter: { _and: [{}] } }, { filter: { _or: [x, {}] } }, { limit: 1 }]) {
      expect([query, labels({ query })]).toEqual([query, 'refused'])
      expect([query, labels({ query, all: true })]).toEqual([query, 'limit' in query ? first : both])
    }
    expect(labels({ all: true })).toEqual(both)
    for (const body of [{ all: false }, { all: true, query: { filter: x } }, { all: true, keys: [1] }, {}])
      expect([body, labels(body)]).toEqual([body, 'refused'])
  })

  it('need an operator for each field', () => {
    for (const filter of [{ pos: {} }, { _and: [x, { pos: {} }] }, { _or: [x, { pos: {} }] }])
      expect([filter, labels({ query: { filter } })]).toEqual([filter, 'refused'])
  })

  it('reach nothing by an _or without branches', () => {
    expect(labels({ query: { filter: { _or: [] } } })).toEqual(none)
    expect(labels({ query: { filter: { _or: [x, { _or: [] }] } } })).toEqual(first)
  })
})

describe('to-one relations', () => {
  it('creates, changes, links and unlinks', () => {
    const patch = (author: unknown) => books(request('PATCH', 'articles/1', { author }), 'articles', 'author')
    expect(patch({ label: 'New' })).toEqual([['made'], ['1'], ['2']])
    expect(patch({ id: 2, label: 'Bert' })).toEqual([['2'], ['1'], ['2']])
    expect(patch(null)).toEqual([[null], ['1'], ['2']])
    expect(patch(2)).toEqual([['2'], ['1'], ['2']])
  })

  it('refuses keys of nothing', () => {
    expect(books(request('PATCH', 'articles/1', { author: { id: 9, label: 'x' } }), 'articles')).toBe('refused')
    expect(books(request('PATCH', 'articles/1', { author: 9 }), 'articles')).toBe('refused')
    expect(books(request('PATCH', 'articles/9', { label: 'x' }), 'articles')).toBe('refused')
  })
})

describe('to-many relations', () => {
  it('nullifies or deletes what a basic list leaves out', () => {
    expect(books(request('PATCH', 'authors/1', { articles: [2] }), 'articles', 'id', 'author')).toEqual([
      ['1', null],
      ['2', '1'],
      ['3', '2'],
    ])
    expect(books(request('PATCH', 'articles/1', { comments: [2] }), 'comments', 'id')).toEqual([['2']])
  })

  it('moves children, and to the last of several parents', () => {
    expect(books(request('PATCH', 'authors/1', { articles: [3] }), 'articles', 'author')).toEqual([
      [null],
      [null],
      ['1'],
    ])
    const shared = { keys: [1, 2], data: { articles: { update: [{ id: 1 }] } } }
    expect(books(request('PATCH', 'authors', shared), 'articles', 'author')).toEqual([['2'], ['1'], ['2']])
  })

  it('continues the order in the detailed form only, and only where all children have a position', () => {
    const create = [{ label: 'p' }, { label: 'q' }]
    const orders = (article: number, comments: unknown) =>
      books(request('PATCH', `articles/${article}`, { comments }), 'comments', 'label', 'pos')
    expect(orders(1, { create })).toEqual([
      ['x', '4'],
      ['y', null],
      ['p', null],
      ['q', null],
    ])
    // What leaves the list counts until then.
    expect(orders(1, { create, delete: [2] })).toEqual([
      ['x', '4'],
      ['p', null],
      ['q', null],
    ])
    expect(orders(2, { create })).toEqual([
      ['x', '4'],
      ['y', null],
      ['p', '1'],
      ['q', '2'],
    ])
    expect(orders(1, create)).toEqual([
      ['p', null],
      ['q', null],
    ])
  })

  it('ignores other parents in delete, but not what does not exist', () => {
    expect(books(request('PATCH', 'articles/2', { comments: { delete: [1] } }), 'comments', 'id')).toEqual([
      ['1'],
      ['2'],
    ])
    expect(books(request('PATCH', 'articles/1', { comments: { delete: [9] } }), 'comments')).toBe('refused')
  })

  it('takes the collection of a many-to-any entry from its row', () => {
    const known = { blocks: { update: [{ id: 1, item: { id: 1, size: 5 } }] } }
    expect(books(request('PATCH', 'pages/1', known), 'heroes', 'size')).toEqual([['5']])
    expect(books(request('PATCH', 'pages/1', { blocks: [{ item: { label: 'x' } }] }), 'heroes')).toBe('refused')
    expect(books(request('PATCH', 'pages/1', { blocks: [{ collection: 'tags', item: {} }] }), 'heroes')).toBe('refused')
  })
})

describe('constraints', () => {
  it('refuses duplicates, nulls, small numbers, wrong types and unknown fields', () => {
    for (const body of [{ slug: 'a' }, { author: 'x' }, { nothing: 1 }, { comments: [{ likes: -1 }] }, { comments: 7 }])
      expect(books(request('POST', 'articles', body), 'articles')).toBe('refused')
    expect(books(request('POST', 'tags', {}), 'tags')).toBe('refused')
    expect(books(request('POST', 'tags', { name: null }), 'tags')).toBe('refused')
  })

  it('lets the database choose while a unique value changes hands', () => {
    const swap = [
      { id: 1, slug: 'b' },
      { id: 2, slug: 'a' },
    ]
    expect(predict(fixed, library, request('PATCH', 'articles', swap))).toMatchObject({ mayRefuse: expect.any(String) })
  })

  it('makes the changes of one row in the order they were sent', () => {
    const twice = [
      { id: 1, label: 'one', slug: 's' },
      { id: 1, label: 'two' },
    ]
    expect(books(request('PATCH', 'articles', twice), 'articles', 'label')).toEqual([['two'], ['b'], ['c']])
  })

  it('leaves open what the contract does not say', () => {
    const twice = { author: { id: 1, label: 'one' }, comments: [{ id: 1, article: { id: 2 } }] }
    expect(books(request('PATCH', 'articles/1', twice), 'articles')).not.toBe('open')
    const conflict = {
      articles: [
        { id: 1, label: 'x' },
        { id: 1, label: 'y' },
      ],
    }
    expect(books(request('PATCH', 'authors/1', conflict), 'articles')).toBe('open')
  })
})

const pair = (onDelete: OnDelete): Schema => {
  const id = column('id', 'integer', { nullable: false, fill: 'counter' })
  const key: ForeignKey = { columns: ['up'], target: 'tops', targetColumns: ['id'], onDelete, declared: null }
  const table = (name: string, columns: Table['columns'], foreignKeys: readonly ForeignKey[]): Table => ({
    name,
    columns,
    key: ['id'],
    uniques: [],
    foreignKeys,
    any: null,
  })
  return createSchema('postgres', [table('tops', [id], []), table('subs', [id, column('up', 'integer')], [key])])
}

describe('deletes', () => {
  const rows = { tops: [{ id: '1' }, { id: '2' }], subs: [{ id: '1', up: '1' }] }
  const outcome = (onDelete: OnDelete, sent: WriteRequest) => {
    const schema = pair(onDelete)
    return after(schema, stateWith(schema, rows), sent, 'subs', ['up'])
  }

  it('follow the foreign keys', () => {
    expect(outcome('cascade', request('DELETE', 'tops/1'))).toEqual([])
    expect(outcome('set null', request('DELETE', 'tops/1'))).toEqual([[null]])
    expect(outcome('restrict', request('DELETE', 'tops/1'))).toBe('refused')
    expect(outcome('no action', request('DELETE', 'tops/1'))).toBe('refused')
    expect(outcome('no action', request('DELETE', 'tops', [2]))).toEqual([['1']])
    expect(outcome('cascade', request('DELETE', 'tops', [2, 9]))).toBe('refused')
  })
})

describe('comparing', () => {
  const schema = pair('cascade')
  const made = newMade()
  const expected = (): State => {
    const state = emptyState(schema)
    rowsOf(state, 'tops').push(newRow(new Map([['id', made]])))
    rowsOf(state, 'subs').push(
      newRow(
        new Map<string, Value>([
          ['id', '1'],
          ['up', made],
        ]),
      ),
    )
    return state
  }
  const stored = (id: string, up: string): Stored =>
    new Map<string, string[][]>([
      ['tops', [[id]]],
      ['subs', [['1', up]]],
    ])

  it('adopts made keys when they agree everywhere', () => {
    const state = expected()
    expect(compareRows(schema, state, stored('7', '8'))).not.toBeNull()
    expect(compareRows(schema, state, stored('7', '7'))).toBeNull()
    expect(valueOf(rowsOf(plainState(state), 'subs')[0] ?? newRow(new Map()), 'up')).toBe('7')
  })

  it('compares answers in the order sent', () => {
    const table = schema.tables.get('subs')
    const rows = ['1', '2'].map((id) =>
      newRow(
        new Map([
          ['id', id],
          ['up', null],
        ]),
      ),
    )
    if (table === undefined) throw new Error('no table')
    const items = [
      { id: 2, up: null },
      { id: 1, up: null },
    ]
    expect(compareAnswer(table, rows, items, 'ordered')).not.toBeNull()
    expect(compareAnswer(table, rows, items, 'any')).toBeNull()
  })

  it('finds every smaller sequence', () => {
    const bodies = [...smallerSequences([request('POST', 'tops', { a: [1, { b: 2 }] })])].map(([first]) => first?.body)
    expect(bodies).toEqual([undefined, {}, { a: [{ b: 2 }] }, { a: [1] }, { a: [1, {}] }])
  })
})
