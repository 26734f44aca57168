// Requests that together cover every step of the write path.
import { EDITOR_TOKEN } from './fixture.ts'
import type { Environment } from './server.ts'

export interface Request {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Environment
}

/** Sequential requests; only the first one changes anything. */
export interface Scenario {
  readonly name: string
  readonly requests: readonly Request[]
}

const created: Request = {
  method: 'POST',
  path: '/items/articles?fields=*.*',
  headers: { 'idempotency-key': 'create-once' },
  body: {
    id: 50,
    title: 'New',
    slug: 'new',
    author: { name: 'Mary' },
    comments: [{ body: 'a' }, { body: 'b' }],
    tags: [{ tags_id: { name: 'violet' } }, { tags_id: 1 }],
    topics: [1, { name: 'music' }],
    blocks: [
      { collection: 'heroes', item: { headline: 'Big' } },
      { collection: 'proses', item: { id: 'p1', content: 'text' } },
    ],
  },
}

const csv = (text: string): FormData => {
  const form = new FormData()
  form.append('file', new Blob([text], { type: 'text/csv' }), 'rows.csv')
  return form
}

export const scenarios: readonly Scenario[] = [
  { name: 'a nested create, and its repetition', requests: [created, created] },
  {
    name: 'a nested create in one statement',
    requests: [
      {
        method: 'POST',
        path: '/items/articles?fields=id',
        body: { title: 'Quick', author: { name: 'Mary' }, comments: [{ body: 'a' }, { body: 'b' }] },
      },
    ],
  },
  {
    name: 'a nested update with removals',
    requests: [
      {
        method: 'PATCH',
        path: '/items/articles/1?fields=*.*',
        headers: { 'if-match': '*' },
        body: {
          title: 'Engines again',
          author: { id: 1, name: 'Ada Byron' },
          comments: { create: [{ body: 'fourth' }], update: [{ id: 1, body: 'changed' }, { id: 4 }], delete: [2] },
          tags: { create: [{ tags_id: { name: 'pink' } }], update: [{ id: 1, tags_id: { id: 1 } }], delete: [2] },
          topics: [2],
          blocks: [
            { id: 1, item: { id: 1, headline: 'Hello again' } },
            { collection: 'proses', item: { id: 'p2' } },
          ],
        },
      },
    ],
  },
  {
    name: 'a nested update by somebody whose rights depend on the rows',
    requests: [
      {
        method: 'PATCH',
        path: '/items/articles/1?fields=id',
        headers: { authorization: `Bearer ${EDITOR_TOKEN}` },
        body: { title: 'Edited', comments: [1, 2] },
      },
    ],
  },
  { name: 'a delete by keys', requests: [{ method: 'DELETE', path: '/items/articles', body: [1, 3] }] },
  {
    name: 'a delete by query',
    requests: [{ method: 'DELETE', path: '/items/comments', body: { query: { filter: { article: { _eq: 1 } } } } }],
  },
  {
    name: 'an upsert by a unique field',
    requests: [
      {
        method: 'PUT',
        path: '/items/articles?on_conflict=slug',
        body: [
          { slug: 'garden', title: 'Gardens' },
          { slug: 'fresh', title: 'Fresh' },
        ],
      },
    ],
  },
  { name: 'a new order', requests: [{ method: 'POST', path: '/utils/sort/comments', body: { item: 3, to: 1 } }] },
  {
    name: 'an import',
    requests: [{ method: 'POST', path: '/utils/import/tags', body: csv('id,name\n1,crimson\n,orange\n,brown\n') }],
  },
]
