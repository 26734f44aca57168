import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataOf } from '../lib/service.ts'
import { createWorld, grant, wordsOf, type Caller, type Row, type World } from './world.ts'

let world: World
/** Has app access and may read and write every data collection. */
let worker: Caller

const PASSWORD = `canary-${randomUUID()}`
const secrets = /argon2|canary|[\da-f]{64}/u

beforeAll(async () => {
  world = await createWorld()
  const data = ['articles', 'authors', 'notes', 'site', 'vault'].flatMap((name) =>
    ['create', 'read', 'update', 'delete'].map((action) => grant(name, action)),
  )
  worker = await world.person(data, { app_access: true }, { password: PASSWORD })
  await world.database.query(`update articles set owner = '${worker.id}' where id = 1`)
})

afterAll(() => world.end())

describe('tables of the service are no items', () => {
  // reliability row 9
  const names = ['users', 'sessions', 'permissions', 'policies', 'access', 'settings', 'activity', 'version', 'fields']
  test.each(names)(
    '%s: in every spelling of the name, for everybody, in the words for what is not there',
    async (name) => {
      const spellings = [
        `service_${name}`,
        `tain.service_${name}`,
        `tain%2Eservice_${name}`,
        `"tain"."service_${name}"`,
      ]
      for (const caller of [worker, world.nobody, world.admin]) {
        for (const spelled of spellings) {
          for (const ask of [
            (of: string) => caller.get(`/items/${of}`),
            (of: string) => caller.get(`/items/${of}/1`),
            (of: string) => caller.send('SEARCH', `/items/${of}`, {}),
            (of: string) => caller.send('POST', `/items/${of}`, {}),
            (of: string) => caller.send('DELETE', `/items/${of}/1`),
            (of: string) => caller.send('POST', '/batch', [{ method: 'DELETE', path: `/items/${of}/1` }]),
          ]) {
            const [answer, absent] = [await ask(spelled), await ask('nothing')]
            const shown = JSON.stringify(decodeURIComponent(spelled)).slice(1, -1)
            expect([spelled, wordsOf(answer, shown)]).toEqual([spelled, wordsOf(absent, 'nothing')])
          }
        }
      }
    },
  )

  test('the catalogue of the database is not mirrored', async () => {
    for (const name of ['pg_class', 'pg_catalog.pg_authid', 'pg_shadow', 'information_schema.tables', 'pg_settings'])
      expect([name, (await world.admin.get(`/items/${name}`)).status]).toEqual([name, 403])
    const listed = dataOf(await world.admin.get('/collections')) as { collection: string }[]
    expect(listed.filter(({ collection }) => /^pg_|^information_schema/u.test(collection))).toEqual([])
  })

  test('sessions have no address at all', async () => {
    for (const path of ['/sessions', '/service_sessions', '/version'])
      expect([path, (await world.admin.get(path)).status]).toEqual([path, 404])
  })
})

describe('users behind a relation', () => {
  // GHSA-rjg2-95x7-8qmx CVE-2026-27886: secrets of users through relations of data collections
  test('show what their own rights allow: the own row, as far as the app needs it', async () => {
    const stranger = await world.person([grant('articles', 'read')])
    for (const field of ['id', 'email', 'password', '*'])
      expect((await stranger.get('/items/articles', { fields: `owner.${field}` })).text).not.toContain('@example.com')
    expect((await stranger.get('/items/articles', { filter: { owner: { email: { _nnull: true } } } })).status).toBe(403)
    expect((await stranger.get('/items/articles', { sort: 'owner.email' })).status).toBe(403)
    const { text } = await worker.get('/items/articles', { fields: 'owner.*', filter: { id: { _eq: 1 } } })
    expect(text).toContain(worker.id)
    expect(text).not.toMatch(secrets)
  })

  test('their secrets cannot be asked about, not even by administrators', async () => {
    for (const caller of [worker, world.admin]) {
      for (const name of ['password', 'token', 'tfa_secret', 'auth_data']) {
        const queries: readonly Row[] = [
          { filter: { owner: { [name]: { _starts_with: '$' } } } },
          { sort: `owner.${name}` },
          { groupBy: `owner.${name}`, aggregate: { count: '*' } },
          { fields: 'owner.x', deep: { owner: { _alias: { x: name } } } },
          { filter: { owner: { role: { users: { [name]: { _contains: 'a' } } } } } },
        ]
        for (const query of queries) {
          const answer = await caller.get('/items/articles', query)
          expect([query, answer.text, secrets.test(answer.text)]).toEqual([query, answer.text, false])
          expect([query, answer.status >= 400 || 'fields' in query]).toEqual([query, true])
        }
      }
      const { text } = await caller.get('/users', { fields: '*', search: 'argon2' })
      expect(text).not.toMatch(secrets)
    }
  })

  test('columns that the service keeps for itself have no name', async () => {
    for (const name of ['email_key', 'tfa_step', 'link_version'])
      for (const query of [{ fields: name }, { filter: { [name]: { _nnull: true } } }, { sort: name }])
        expect([name, (await world.admin.get('/users', query)).status]).toEqual([name, 403])
  })
})

describe('who works with the app', () => {
  // GHSA-r9xq-xp38-j4j3
  test('reads of the settings what the app needs, by a list of names', async () => {
    dataOf(await world.admin.send('PATCH', '/settings', { auth_password_policy: '/canary/', project_name: 'Ours' }))
    const shown = dataOf(await worker.get('/settings')) as Row
    const expected = [
      'basemaps',
      'custom_aspect_ratios',
      'default_save_action',
      'id',
      'mapbox_key',
      'module_bar',
      'project_logo',
      'project_url',
      'report_error_url',
      'storage_asset_presets',
      'storage_asset_transform',
      'storage_asset_transform_public',
      'visual_editor_urls',
    ]
    expect(Object.keys(shown).sort()).toEqual(expected)
    for (const name of ['auth_password_policy', 'auth_login_attempts', 'public_registration_role', 'custom_css'])
      expect([name, (await worker.get('/settings', { fields: name })).status]).toEqual([name, 403])
    expect((await world.nobody.get('/settings')).status).toBe(403)
    expect((await world.nobody.get('/server/info')).text).not.toContain('canary')
    dataOf(await world.admin.send('PATCH', '/settings', { auth_password_policy: null }))
  })

  test('reads their own activity, and nothing of anybody else', async () => {
    await worker.send('PATCH', '/items/articles/1', { title: 'mine' })
    dataOf(await world.admin.send('PATCH', '/items/articles/2', { title: 'two' }))
    const rows = dataOf(await worker.get('/activity', { fields: 'user', limit: -1 })) as { user: string }[]
    expect(new Set(rows.map(({ user }) => user))).toEqual(new Set([worker.id]))
    const users = dataOf(await worker.get('/users', { fields: 'id' })) as { id: string }[]
    expect(users.map(({ id }) => id)).toEqual([worker.id])
    for (const path of ['/policies', '/access', '/revisions'])
      expect([path, (await worker.get(path)).text]).not.toEqual([path, expect.stringContaining('data":[{')])
  })
})

describe('what the service writes down', () => {
  // GHSA-mvv8-v4jj-g47j CVE-2026-39943; 7.3 k
  test('holds no token or password as it was sent, and no hash where others may read', async () => {
    const [token, password] = [`sent-${randomUUID()}`, `sent-${randomUUID()}`]
    dataOf(await world.admin.send('PATCH', `/users/${worker.id}`, { token, password }))
    const tables = await world.database.query(
      `select tablename from pg_tables where schemaname = 'tain' order by tablename`,
    )
    for (const [name] of tables) {
      const rows = JSON.stringify(await world.database.query(`select t::text from tain."${name ?? ''}" t`))
      expect([name, /sent-|canary-/u.test(rows)]).toEqual([name, false])
      expect([name, rows.includes('argon2')]).toEqual([name, name === 'service_users'])
    }
  })
})
