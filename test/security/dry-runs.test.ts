import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../packages/server/src/app.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { routesOf } from '../lib/routes.ts'
import { dataOf, TOKEN, type Answer } from '../lib/service.ts'
import { createWorld, type World } from './world.ts'

let world: World
let root: string
let revision: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tain-dry-runs-'))
  world = await createWorld({ STORAGE_LOCAL_ROOT: root })
  dataOf(await world.admin.send('PATCH', '/collections/articles', { meta: { sort_field: 'rank' } }))
  dataOf(await world.admin.send('PATCH', '/items/articles/1', { title: 'changed' }))
  const [found] = dataOf(await world.admin.get('/revisions', { fields: 'id', sort: 'id', limit: 1 })) as {
    id: number
  }[]
  revision = String(found?.id)
})

afterAll(async () => {
  await world.end()
  await rm(root, { recursive: true, force: true })
})

const prefer = { prefer: 'tx=rollback' }

/** Result of a dry run: executed and rolled back, refused with 422, or without any effect to roll back. */
type Kind = 'honoured' | 'refused' | 'harmless'

const dryOutcomes: Readonly<Record<Kind, readonly unknown[]>> = {
  honoured: ['done', 'tx=rollback'],
  refused: [422, null],
  harmless: ['done', null],
}

type Ask = readonly [kind: Kind, path: string, body?: unknown]

const field = { field: 'extra', type: 'string', schema: {} }
const query = { filter: { id: { _eq: 1 } } }

/** Requests that would change something, by method and route. */
const asks = (): Readonly<Record<string, Ask>> => ({
  'POST /items/:collection': ['honoured', '/items/articles', { title: 'new' }],
  'PATCH /items/:collection': ['honoured', '/items/articles', { query, data: { title: 'x' } }],
  'PUT /items/:collection': ['honoured', '/items/articles', [{ id: 77, title: 'x' }]],
  'DELETE /items/:collection': ['honoured', '/items/notes', { query }],
  'PATCH /items/:collection/:key': ['honoured', '/items/articles/2', { title: 'y' }],
  'PUT /items/:collection/:key': ['honoured', '/items/articles/78', { title: 'y' }],
  'DELETE /items/:collection/:key': ['honoured', '/items/notes/2'],
  'POST /batch': ['honoured', '/batch', [{ method: 'POST', path: '/items/articles', body: { title: 'b' } }]],
  'PATCH /users/me': ['honoured', '/users/me', { first_name: 'Me' }],
  'POST /utils/revert/:revision': ['honoured', `/utils/revert/${revision}`],
  'POST /utils/sort/:collection': ['honoured', '/utils/sort/articles', { item: 3, to: 1 }],
  'POST /fields/:collection': ['honoured', '/fields/articles', field],
  'PATCH /fields/:collection': ['honoured', '/fields/articles', [{ field: 'title', meta: { note: 'n' } }]],
  'PATCH /fields/:collection/:field': ['honoured', '/fields/articles/title', { meta: { note: 'm' } }],
  'DELETE /fields/:collection/:field': ['honoured', '/fields/articles/internal'],
  'POST /collections': ['honoured', '/collections', { collection: 'fresh', schema: {}, meta: {} }],
  'PATCH /collections': ['honoured', '/collections', [{ collection: 'notes', meta: { note: 'n' } }]],
  'PATCH /collections/:collection': ['honoured', '/collections/notes', { meta: { note: 'm' } }],
  'DELETE /collections/:collection': ['honoured', '/collections/vault'],
  'POST /relations': [
    'honoured',
    '/relations',
    { collection: 'authors', field: 'salary', related_collection: 'notes', schema: null, meta: {} },
  ],
  'PATCH /relations/:collection/:field': ['honoured', '/relations/notes/article', { meta: { one_field: 'all_notes' } }],
  'DELETE /relations/:collection/:field': ['honoured', '/relations/articles/owner'],
  'POST /permissions/explain': [
    'harmless',
    '/permissions/explain',
    { user: null, method: 'GET', path: '/items/notes' },
  ],
  'POST /permissions/preview': [
    'harmless',
    '/permissions/preview',
    { collection: 'notes', action: 'read', changes: [] },
  ],
  'POST /users/invite': ['refused', '/users/invite', { email: 'new@example.com', role: world.admin.role }],
  'POST /users/invite/accept': ['refused', '/users/invite/accept', {}],
  'POST /users/register': ['refused', '/users/register', { email: 'r@example.com', password: 'password' }],
  'GET /users/register/verify-email': ['refused', '/users/register/verify-email?token=x'],
  'POST /users/me/tfa/generate': ['refused', '/users/me/tfa/generate', { password: 'x' }],
  'POST /users/me/tfa/enable': ['refused', '/users/me/tfa/enable', { secret: 'x', otp: '1' }],
  'POST /users/me/tfa/disable': ['refused', '/users/me/tfa/disable', { otp: '1' }],
  'POST /users/:id/tfa/disable': ['refused', '/users/me/tfa/disable', {}],
  'POST /users/me/links/revoke': ['refused', '/users/me/links/revoke'],
  'POST /users/:key/links/revoke': ['refused', '/users/x/links/revoke'],
  'PATCH /users/me/track/page': ['refused', '/users/me/track/page', { last_page: '/x' }],
  'POST /server/setup': ['refused', '/server/setup', {}],
  'POST /auth/login': ['refused', '/auth/login', { email: 'a@example.com', password: 'x' }],
  'POST /auth/logout': ['refused', '/auth/logout', {}],
  'POST /auth/refresh': ['refused', '/auth/refresh', {}],
  'POST /auth/password/request': ['refused', '/auth/password/request', { email: 'a@example.com' }],
  'POST /auth/password/reset': ['refused', '/auth/password/reset', {}],
  'POST /utils/cache/clear': ['refused', '/utils/cache/clear'],
  'POST /utils/export/:collection': ['refused', '/utils/export/articles', { query: {}, format: 'csv', file: {} }],
  'POST /files/presign': ['refused', '/files/presign', { filename_download: 'x', type: 'text/plain', filesize: 1 }],
  'POST /files/:key/complete': ['refused', '/files/x/complete'],
  'POST /files/tus': ['refused', '/files/tus'],
  'POST /files/tus/:upload': ['refused', '/files/tus/x'],
  'PATCH /files/tus/:upload': ['refused', '/files/tus/x'],
  'DELETE /files/tus/:upload': ['refused', '/files/tus/x'],
  'PUT /files/:key/content': ['refused', '/files/x/content'],
  'POST /webhooks/:key/deliveries/:delivery/replay': ['refused', '/webhooks/x/deliveries/x/replay'],
  'POST /webhooks/:key/replay': ['refused', '/webhooks/x/replay', { from: 'x-1' }],
  'POST /webhooks/:key/rotate': ['refused', '/webhooks/x/rotate'],
  'POST /webhooks/:key/test': ['refused', '/webhooks/x/test'],
})

/** Routes whose bodies are not JSON, or that have their own tests below. */
const apart = [
  'POST /schema/diff',
  'POST /schema/apply',
  'POST /utils/import/:collection',
  'POST /graphql',
  'POST /files/import',
  // They read.
  'POST /assets/files',
  'POST /assets/folder/:id',
]

/** Methods and paths of all routes. */
async function routes(): Promise<string[]> {
  const config = readConfig({ DATABASE_URL: world.database.url, ADMIN_TOKEN: TOKEN })
  const app = await createApp(config, pino({ level: 'silent' }))
  await app.server.ready()
  const found = routesOf(app.server)
  await app.close()
  return found
}

const isReading = (route: string) => /^(GET|HEAD|SEARCH|QUERY|OPTIONS) /u.test(route)
/** The system collections use the same code path as items. */
const isCollection = (route: string) =>
  /^(POST|PATCH|PUT|DELETE) \/(settings|access|users|roles|policies|permissions|presets|files|folders|notifications|comments|translations|dashboards|panels|webhooks)(\/:key)?$/u.test(
    route,
  )

describe('a dry run is honoured or refused, never kept', () => {
  test('by every route there is', async () => {
    const known = new Set([...Object.keys(asks()), ...apart])
    const missing = (await routes())
      .map((route) => route.replace('/users/:key/tfa', '/users/:id/tfa'))
      .filter((route) => !isReading(route) && !isCollection(route) && !known.has(route))
      .filter((route) => !/\/graphql(\/system)?$/u.test(route))
    expect(missing).toEqual([])
  })

  test('by each of them', async () => {
    for (const [route, [kind, path, body]] of Object.entries(asks())) {
      const [method = ''] = route.split(' ')
      const before = await world.fingerprint()
      const dry = await world.admin.send(method, path, body, prefer)
      const applied = dry.headers.get('preference-applied')
      expect([route, await world.fingerprint()]).toEqual([route, before])
      const outcome = [route, dry.status < 300 ? 'done' : dry.status, applied]
      expect(outcome).toEqual([route, ...dryOutcomes[kind]])
      if (kind === 'honoured') await world.admin.send(method, path, body)
      expect([route, (await world.fingerprint()) !== before]).toEqual([route, kind === 'honoured'])
    }
  }, 240_000)

  test('by routes of the service’s own collections', async () => {
    const made: readonly (readonly [string, object])[] = [
      ['/users', { first_name: 'x' }],
      ['/roles', { name: 'x' }],
      ['/policies', { name: 'x' }],
      ['/folders', { name: 'x' }],
      ['/presets', { bookmark: 'x' }],
      ['/files', { type: 'text/plain', filename_download: 'x.txt' }],
      ['/dashboards', { name: 'x' }],
    ]
    for (const [path, body] of made) {
      const before = await world.fingerprint()
      const dry = await world.admin.send('POST', path, body, prefer)
      expect([path, dry.status, dry.headers.get('preference-applied')]).toEqual([path, 200, 'tx=rollback'])
      expect([path, await world.fingerprint()]).toEqual([path, before])
    }
  })

  test('by an upload, which leaves no object either', async () => {
    const form = new FormData()
    form.append('file', new Blob(['dry'], { type: 'text/plain' }), 'dry.txt')
    const before = await world.fingerprint()
    const dry = await fetch(`${world.service.url}/files`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${TOKEN}`, ...prefer },
    })
    const { data } = (await dry.json()) as { readonly data: { readonly id: string; readonly filesize: string } }
    expect([dry.status, dry.headers.get('preference-applied'), data.filesize]).toEqual([200, 'tx=rollback', '3'])
    expect(await world.fingerprint()).toBe(before)
    expect((await readdir(root).catch(() => [])).filter((name) => name.includes(data.id))).toEqual([])
  })

  test('by an import and by applying a snapshot', async () => {
    const form = new FormData()
    form.append('file', new Blob(['[{"title":"dry"}]'], { type: 'application/json' }), 'rows.json')
    const headers = { authorization: `Bearer ${TOKEN}`, ...prefer }
    const before = await world.fingerprint()
    const answer = await fetch(`${world.service.url}/utils/import/articles`, { method: 'POST', body: form, headers })
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, 'tx=rollback'])
    const snapshot = dataOf(await world.admin.get('/schema/snapshot', {})) as { collections: object[] }
    const [first, ...others] = snapshot.collections as { collection: string; meta: object | null }[]
    const wanted = { ...snapshot, collections: [{ ...first, meta: { ...first?.meta, note: 'dry' } }, ...others] }
    const diff = dataOf(await world.admin.send('POST', '/schema/diff', wanted, prefer))
    const applied = await world.admin.send('POST', '/schema/apply', diff, prefer)
    expect([applied.status, applied.headers.get('preference-applied')]).toEqual([200, 'tx=rollback'])
    expect(await world.fingerprint()).toBe(before)
  })

  test('by a transaction that would fail at its end', async () => {
    const { status } = await world.admin.send('POST', '/items/notes', { text: 'x', article: 4711 }, prefer)
    expect(status).toBe(400)
  })
})

interface Root {
  readonly name: string
  readonly document: string
  readonly kind: Kind
}

/** Mutations of the system scope that do not write rows of a collection. */
const roots = (): readonly Root[] => {
  const root = (kind: Kind, name: string, args = '', selection = ''): Root => ({
    name,
    kind,
    document: `mutation { ${name}${args === '' ? '' : `(${args})`} ${selection} }`,
  })
  return [
    root('honoured', 'update_users_me', 'data: { first_name: "G" }', '{ id }'),
    root('honoured', 'utils_sort', 'collection: "articles", item: "2", to: "1"'),
    root('honoured', 'utils_revert', `revision: "${revision}"`),
    root('harmless', 'utils_random_string'),
    root('refused', 'utils_cache_clear'),
    root('refused', 'utils_export', 'collection: "articles", query: {}, format: "csv", file: {}'),
    root('refused', 'users_me_track_page', 'last_page: "/x"'),
    root('refused', 'auth_login', 'email: "a@example.com", password: "x"', '{ expires }'),
    root('refused', 'auth_refresh', '', '{ expires }'),
    root('refused', 'auth_logout'),
    root('refused', 'auth_password_request', 'email: "a@example.com"'),
    root('refused', 'auth_password_reset', 'token: "x", password: "y"'),
    root('refused', 'users_invite', `email: "g@example.com", role: "${world.admin.role}"`),
    root('refused', 'users_invite_accept', 'token: "x", password: "y"'),
    root('refused', 'users_register', 'email: "g@example.com", password: "password"'),
    root('refused', 'users_register_verify', 'token: "x"'),
    root('refused', 'users_me_tfa_generate', 'password: "x"', '{ secret }'),
    root('refused', 'users_me_tfa_enable', 'otp: "1", secret: "x"'),
    root('refused', 'users_me_tfa_disable', 'otp: "1"'),
    root('refused', 'users_tfa_disable', 'id: "x"'),
    root('refused', 'users_me_links_revoke', ''),
    root('refused', 'users_links_revoke', 'id: "x"'),
    root('refused', 'server_setup', 'data: {}'),
    root('refused', 'webhooks_replay_delivery', 'id: "x", delivery: "x"', '{ replayed }'),
    root('refused', 'webhooks_replay', 'id: "x", from: "x-1"', '{ replayed }'),
    root('refused', 'webhooks_test', 'id: "x"', '{ status }'),
    root('refused', 'webhooks_rotate', 'id: "x"', '{ secret }'),
    root('refused', 'create_fields_item', 'collection: "notes", data: { field: "g", type: "string" }', '{ field }'),
    root(
      'refused',
      'update_fields_item',
      'collection: "notes", field: "text", data: { meta: { note: "g" } }',
      '{ field }',
    ),
    root(
      'refused',
      'update_fields_items',
      'collection: "notes", data: [{ field: "text", meta: { note: "g" } }]',
      '{ field }',
    ),
    root('refused', 'delete_fields_item', 'collection: "notes", field: "private"', '{ field }'),
    root('refused', 'create_collections_item', 'data: { collection: "g", schema: {} }', '{ collection }'),
    root('refused', 'update_collections_item', 'collection: "notes", data: { meta: { note: "g" } }', '{ collection }'),
    root(
      'refused',
      'update_collections_items',
      'data: [{ collection: "notes", meta: { note: "g" } }]',
      '{ collection }',
    ),
    root('refused', 'delete_collections_item', 'collection: "notes"', '{ collection }'),
    root('refused', 'create_relations_item', 'data: { collection: "notes", field: "id" }', '{ field }'),
    root(
      'refused',
      'update_relations_item',
      'collection: "notes", field: "article", data: { meta: { one_field: "g" } }',
      '{ field }',
    ),
    root('refused', 'delete_relations_item', 'collection: "notes", field: "article"', '{ field }'),
  ]
}

const ask = (document: string, scope = '/graphql/system', headers: Record<string, string> = prefer): Promise<Answer> =>
  world.admin.send('POST', scope, { query: document }, headers)

describe('through GraphQL', () => {
  test('by every root field there is', async () => {
    const { body } = await ask('{ schema: __schema { mutationType { fields { name } } } }')
    const { schema } = (body as { data: { schema: { mutationType: { fields: { name: string }[] } } } }).data
    const { fields } = schema.mutationType
    // A dry run of an import is tested with its route.
    const known = new Set(['import_file', ...roots().map(({ name }) => name)])
    const isOfRows = (name: string) =>
      /^(create|update|delete|upsert)_(users|roles|policies|access|permissions|presets|files|folders|notifications|comments|translations|settings|dashboards|panels|webhooks)(_|$)/u.test(
        name,
      )
    expect(fields.map(({ name }) => name).filter((name) => !known.has(name) && !isOfRows(name))).toEqual([])
  })

  test('by each of them', async () => {
    for (const { name, kind, document } of roots()) {
      const before = await world.fingerprint()
      const { text } = await ask(document)
      expect([name, await world.fingerprint()]).toEqual([name, before])
      expect([name, text.includes('UNPROCESSABLE_CONTENT'), text.includes('errors')]).toEqual([
        name,
        kind === 'refused',
        kind === 'refused',
      ])
      if (kind === 'honoured') await ask(document, '/graphql/system', {})
      expect([name, (await world.fingerprint()) !== before]).toEqual([name, kind === 'honoured'])
    }
  }, 120_000)

  test('by writes of rows in both scopes', async () => {
    const before = await world.fingerprint()
    const documents: readonly (readonly [string, string])[] = [
      ['/graphql', 'mutation { create_articles_item(data: { title: "g" }) { id } }'],
      ['/graphql', 'mutation { update_articles_item(id: 3, data: { title: "g" }) { id } }'],
      ['/graphql', 'mutation { delete_notes_item(id: 3) { id } }'],
      ['/graphql/system', 'mutation { create_roles_item(data: { name: "g" }) { id } }'],
    ]
    for (const [scope, document] of documents) {
      const answer = await ask(document, scope)
      expect([document, answer.text]).toEqual([document, expect.not.stringContaining('errors')])
      expect(answer.headers.get('preference-applied')).toBe('tx=rollback')
    }
    expect(await world.fingerprint()).toBe(before)
  })
})
