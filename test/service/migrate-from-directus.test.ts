// A project of Directus, served from the same database after one command.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeOf as totpCode } from '../../packages/server/src/auth/totp.ts'
import { findingKinds, type MigrationReport } from '../../packages/server/src/system/directus/findings.ts'
import { directusTables, type TableFate } from '../../packages/server/src/system/directus/tables.ts'
import { callCommand } from '../lib/command.ts'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'
import { createDirectus, key, passwordOf, STATIC_TOKEN, tablesWithoutEqual, TOTP_SECRET } from '../fixtures/directus.ts'
import { codeOf, dataOf, openService, SECRET, type Answer, type Service } from '../lib/service.ts'

/** A test starts the program several times. */
const PATIENCE = 300_000

const migrate = (database: TestDatabase, ...options: readonly string[]) =>
  callCommand(['migrate-from', 'directus', ...options], { environment: { DATABASE_URL: database.url, SECRET } })

async function reportOf(database: TestDatabase, ...options: readonly string[]): Promise<MigrationReport> {
  const { code, out, error } = await migrate(database, '--json', ...options)
  expect([code, error]).toEqual([0, options.includes('--dry-run') ? 'Nothing has been changed.\n' : 'Done.\n'])
  return JSON.parse(out) as MigrationReport
}

const catalogue = {
  postgres: `select quote_ident(table_schema) || '.' || quote_ident(table_name), string_agg(column_name || ' ' || data_type, ',' order by ordinal_position)
    from information_schema.columns where table_schema not in ('pg_catalog', 'information_schema') group by table_schema, table_name order by 1`,
  mysql: `select concat('\`', table_name, '\`'), group_concat(concat(column_name, ' ', column_type) order by ordinal_position)
    from information_schema.columns where table_schema = database() group by table_name order by 1`,
  sqlite: `select '"' || name || '"', sql from sqlite_master where type = 'table' order by 1`,
} as const

/** Replicas renew there who does what, by themselves. */
const isOwnWork = (name: string) => /service_(locks|watch)\W?$/.test(name)

/** Every table with its columns and rows, but for what a running service renews by itself. */
async function everything({ dialect, query }: TestDatabase): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {}
  for (const [name, columns] of (await query(catalogue[dialect])).filter(([name]) => !isOwnWork(String(name))))
    found[`${name} ${columns}`] = JSON.stringify(
      (await query(`select * from ${name}`)).map((row) => row.join('|')).toSorted(),
    )
  return found
}

const bytesOf = async ({ dialect, name }: TestDatabase) =>
  dialect === 'sqlite'
    ? createHash('sha256')
        .update(await readFile(name))
        .digest('hex')
    : null

const idsOf = (answer: Answer) => (dataOf(answer) as { id: number }[]).map(({ id }) => id)

describe.each(testDialects)('on %s', (dialect) => {
  let database: TestDatabase
  let service: Service
  let dry: MigrationReport
  let report: MigrationReport
  let states: Record<'before' | 'afterDryRun', unknown>
  const tokens = new Map<string, string>()

  const login = (name: string, more: object = {}) =>
    service.send(
      'POST',
      '/auth/login',
      { email: `${name}@example.com`, password: passwordOf(name), ...more },
      { token: null },
    )

  /** Reads as a user, by name; as the public if null. */
  const as = async (name: string | null, path: string): Promise<Answer> => {
    if (name !== null && !tokens.has(name))
      tokens.set(name, (dataOf(await login(name)) as { access_token: string }).access_token)
    return service.get(path, { token: name === null ? null : (tokens.get(name) ?? null) })
  }

  beforeAll(async () => {
    database = await createDatabase(dialect)
    await createDirectus(database)
    if (dialect === 'sqlite') await database.query('pragma wal_checkpoint(truncate)')
    const before = [await everything(database), await bytesOf(database)]
    dry = await reportOf(database, '--dry-run')
    states = { before, afterDryRun: [await everything(database), await bytesOf(database)] }
    report = await reportOf(database)
    service = await openService({ DATABASE_URL: database.url, ADMIN_TOKEN: undefined })
  }, PATIENCE)

  afterAll(async () => {
    await service?.stop()
    await database?.drop()
  })

  test('a dry run leaves the database as it was, byte by byte', () => {
    expect(states.afterDryRun).toEqual(states.before)
  })

  test('a dry run reports the findings of the run', () => {
    expect(dry.findings).toEqual(report.findings)
  })

  test('the tables of Directus stay as they were', async () => {
    const [before] = states.before as [Record<string, string>]
    const after = await everything(database)
    for (const [name, rows] of Object.entries(before)) expect({ name, rows: after[name] }).toEqual({ name, rows })
  })

  test('the report counts the rows that are taken', () => {
    const counts = Object.entries(report.rows).map(([name, { new: made, changed, kept }]) => [
      name,
      made,
      changed,
      kept,
    ])
    expect(Object.fromEntries(counts.map(([name, ...rest]) => [name, rest]))).toEqual({
      directus_collections: [8, 0, 0],
      directus_fields: [12, 0, 0],
      directus_relations: [7, 0, 0],
      directus_folders: [2, 0, 0],
      directus_roles: [4, 0, 0],
      directus_policies: [6, 1, 0],
      directus_users: [10, 0, 0],
      directus_access: [6, 0, 1],
      directus_permissions: [16, 0, 0],
      directus_files: [1, 0, 0],
      directus_dashboards: [1, 0, 0],
      directus_panels: [1, 0, 0],
      directus_presets: [3, 0, 0],
      directus_translations: [1, 0, 0],
      directus_settings: [0, 1, 0],
    })
  })

  test('the report names every thing without an equal', () => {
    const found = (kind: string) => report.findings.filter((each) => each.kind === kind).map(({ what }) => what)
    expect(found('table').toSorted()).toEqual(tablesWithoutEqual.toSorted())
    expect(found('interface')).toEqual(['articles.status'])
    expect(found('special')).toEqual(['articles.published'])
    expect(found('field-validation')).toEqual(['categories.name'])
    expect(found('custom-field')).toEqual(['directus_users.department'])
    expect(found('relation')).toEqual(['articles.author', 'articles.image'])
    expect(found('file')).toEqual([`directus_files ${key('odd file')}`])
    expect(found('storage')).toEqual(['local'])
    expect(found('policy')).toEqual(['Nowhere'])
    expect(found('attachment')).toEqual([`directus_access ${key('access 8')}`])
    expect(found('permission-collection')).toEqual(['Broken: read directus_flows', 'Broken: read vanished'])
    expect(found('permission-validation')).toEqual(['Editing: create tags'])
    expect(found('user-password')).toEqual(['bert@example.com'])
    expect(found('user-second-factor')).toEqual(['olga@example.com'])
    expect(found('user-status')).toEqual(['zoe@example.com'])
    expect(found('user-provider')).toEqual(['sam@example.com'])
    expect(found('setting')).toEqual(['project_logo', 'storage_asset_transform'])
  })

  test('a permission whose rule cannot be applied is reported with the reason, and not taken', async () => {
    const found = report.findings.filter(({ kind }) => kind === 'permission')
    expect(Object.fromEntries(found.map(({ what, why }) => [what, why]))).toEqual({
      'Broken: read articles': expect.stringContaining('_sounds_like'),
      'Broken: update articles': 'There is no variable "$CURRENT_TEAM".',
      'Broken: delete articles': '"$CURRENT_USER.department" names a field that does not exist.',
      'Broken: update tags': expect.stringContaining('shade'),
      'Broken: create tags': expect.stringContaining('_sounds_like'),
      'Broken: update categories': expect.stringContaining('author'),
    })
    const rows = dataOf(await as('ada', `/permissions?filter[policy][_eq]=${key('policy Broken')}`))
    expect(rows).toEqual([])
  })

  describe('users', () => {
    test.each(['ada', 'stan', 'edith', 'ida'])('%s signs in with the old password', async (name) => {
      expect((await login(name)).status).toBe(200)
      expect(codeOf(await login(name, { password: 'another password' }))).toBe('INVALID_CREDENTIALS')
    })

    test.each(['olga', 'bert', 'sam', 'sue', 'zoe'])('%s cannot sign in', async (name) => {
      expect(codeOf(await login(name))).toBe('INVALID_CREDENTIALS')
    })

    test('a second factor is asked for, and the old one is accepted', async () => {
      expect(codeOf(await login('tom'))).toBe('INVALID_OTP')
      const otp = totpCode(TOTP_SECRET, Math.floor(Date.now() / 30_000))
      expect((await login('tom', { otp })).status).toBe(200)
    })

    test('a static token works, and is stored as a hash', async () => {
      const me = dataOf(await service.get('/users/me?fields=id,email,tags,language,role.name', { token: STATIC_TOKEN }))
      expect(me).toEqual({
        id: key('ada'),
        email: 'ada@example.com',
        tags: ['first'],
        language: 'en-GB',
        role: { name: 'Administrators' },
      })
      const own = Object.entries(await everything(database)).filter(([name]) =>
        name.split(' ')[0]?.includes('service_users'),
      )
      expect(own).toHaveLength(1)
      expect(own[0]?.[1]).not.toContain(STATIC_TOKEN)
      expect(own[0]?.[1]).not.toContain(TOTP_SECRET)
    })

    test('roles keep their tree', async () => {
      const roles = dataOf(await as('ada', '/roles?fields=name,parent.name&sort=name'))
      expect(roles).toEqual([
        { name: 'Administrators', parent: null },
        { name: 'Editors', parent: { name: 'Staff' } },
        { name: 'Interns', parent: { name: 'Editors' } },
        { name: 'Staff', parent: null },
      ])
    })
  })

  describe('permissions', () => {
    /** The visible articles: own ones for the staff, news and hot ones for editors, published ones for the public. */
    const visible = [
      [null, { articles: [1], categories: [1, 2], tags: 403, pages: 403, block_text: 403, articles_tags: 403 }],
      ['stan', { articles: [5], categories: [1, 2], tags: 403, pages: 403, block_text: 403, articles_tags: 403 }],
      [
        'edith',
        { articles: [1, 2, 3], categories: [1, 2], tags: [1, 2], pages: 403, block_text: 403, articles_tags: [1, 2] },
      ],
      [
        'ida',
        { articles: [1, 3, 4], categories: [1, 2], tags: [1, 2], pages: [1], block_text: [1], articles_tags: [1, 2] },
      ],
      [
        'ada',
        {
          articles: [1, 2, 3, 4, 5],
          categories: [1, 2],
          tags: [1, 2],
          pages: [1],
          block_text: [1],
          articles_tags: [1, 2],
        },
      ],
    ] as const

    test.each(visible)('%s reads what the old rules say', async (name, expected) => {
      const found: Record<string, unknown> = {}
      for (const collection of Object.keys(expected)) {
        const answer = await as(name, `/items/${collection}?fields=id&sort=id`)
        found[collection] = answer.status === 200 ? idsOf(answer) : answer.status
      }
      expect(found).toEqual(expected)
    })

    test('field lists hold row by row', async () => {
      expect(dataOf(await as('edith', '/items/articles?fields=id,status&sort=id'))).toEqual([
        { id: 1, status: null },
        { id: 2, status: 'published' },
        { id: 3, status: null },
      ])
      expect((await as(null, '/items/articles?fields=status')).status).toBe(403)
    })

    test('permissions on users are about the new users', async () => {
      expect(dataOf(await as('edith', '/users?fields=id,email'))).toEqual([
        { id: key('edith'), email: 'Edith@Example.com' },
      ])
    })

    test('a policy of one user applies to that user', async () => {
      const remove = (id: number, name: string) =>
        service.send('DELETE', `/items/articles/${id}`, undefined, {
          token: tokens.get(name) ?? null,
          headers: { Prefer: 'tx=rollback' },
        })
      expect((await remove(1, 'ida')).status).toBe(403)
      expect((await remove(4, 'ida')).status).toBe(204)
      expect((await remove(5, 'stan')).status).toBe(403)
    })
  })

  describe('relations keep their field names', () => {
    test('many-to-one and one-to-many', async () => {
      expect(dataOf(await as('stan', '/items/articles/5?fields=title,category.name'))).toEqual({
        title: 'Draft of Stan',
        category: { name: 'Culture' },
      })
      expect(dataOf(await as('stan', '/items/categories/2?fields=articles.title'))).toEqual({
        articles: [{ title: 'Draft of Stan' }],
      })
    })

    test('many-to-many, in the order of its sort field', async () => {
      expect(dataOf(await as('edith', '/items/articles/3?fields=tags.tags_id.name'))).toEqual({
        tags: [{ tags_id: { name: 'hot' } }, { tags_id: { name: 'cold' } }],
      })
    })

    test('many-to-any', async () => {
      const fields = 'blocks.collection,blocks.item:block_text.body,blocks.item:block_quote.quote'
      expect(dataOf(await as('ida', `/items/pages/1?fields=${fields}`))).toEqual({
        blocks: [
          { collection: 'block_text', item: { body: 'Hello' } },
          { collection: 'block_quote', item: { quote: 'Be brief' } },
        ],
      })
    })

    test('a singleton is one object', async () => {
      expect(dataOf(await as('ida', '/items/about?fields=body'))).toEqual({ body: 'About us' })
    })
  })

  test('metadata of collections and fields is taken', async () => {
    const { meta } = dataOf(await as('ada', '/collections/articles')) as { meta: object }
    expect(meta).toMatchObject({
      note: 'What is read',
      group: 'content',
      archive_field: 'status',
      archive_value: 'archived',
      unarchive_value: 'draft',
      accountability: 'activity',
      translations: [{ language: 'de-DE', translation: 'Artikel' }],
    })
    const { meta: title } = dataOf(await as('ada', '/fields/articles/title')) as { meta: object }
    expect(title).toMatchObject({
      interface: 'input',
      required: true,
      width: 'half',
      note: 'Shown in lists',
      options: { trim: true },
      validation_message: 'too long',
      conditions: [{ name: 'locked', rule: { status: { _eq: 'archived' } }, readonly: true }],
    })
  })

  test('files keep their names in the storage, and dashboards their panels', async () => {
    const fields = 'id,storage,filename_disk,filename_download,title,checksum'
    expect(dataOf(await as('ada', `/files?fields=${fields}`))).toEqual([
      {
        id: key('file'),
        storage: 'local',
        filename_disk: 'a.png',
        filename_download: 'a.png',
        title: 'A',
        checksum: null,
      },
    ])
    expect(dataOf(await as('ada', '/dashboards?fields=name,panels.type,panels.width'))).toEqual([
      { name: 'Overview', panels: [{ type: 'metric', width: 6 }] },
    ])
  })

  test('folders, presets, translations and settings are taken', async () => {
    expect(dataOf(await as('ada', '/folders?fields=name,parent.name&sort=name'))).toEqual([
      { name: 'Inner', parent: { name: 'Outer' } },
      { name: 'Outer', parent: null },
    ])
    expect(
      dataOf(await as('ada', '/presets?fields=bookmark,collection,filter,layout_options&sort=collection')),
    ).toEqual([
      { bookmark: 'Drafts', collection: 'articles', filter: { status: { _eq: 'draft' } }, layout_options: null },
      { bookmark: null, collection: 'service_files', filter: null, layout_options: null },
      { bookmark: null, collection: 'service_users', filter: null, layout_options: { size: 4 } },
    ])
    expect(dataOf(await as('ada', '/translations?fields=language,key,value'))).toEqual([
      { language: 'de-DE', key: 'hello', value: 'Hallo' },
    ])
    expect(dataOf(await as('ada', '/settings'))).toMatchObject({
      project_name: 'Acme News',
      project_color: '#123456',
      project_logo: null,
      auth_login_attempts: 5,
      auth_password_policy: '/^.{8,}$/',
      storage_asset_transform: 'all',
    })
  })

  test('the old tables are hidden, their secrets are concealed, and only administrators read them', async () => {
    const { meta } = dataOf(await as('ada', '/collections/directus_users')) as { meta: object }
    expect(meta).toMatchObject({ hidden: true })
    const [row] = dataOf(
      await as('ada', `/items/directus_users?filter[id][_eq]=${key('ada')}&fields=password,token`),
    ) as object[]
    expect(row).toEqual({ password: '**********', token: '**********' })
    for (const name of [null, 'stan', 'ida']) expect((await as(name, '/items/directus_users')).status).toBe(403)
  })

  test(
    'a second run changes nothing, even with --replace',
    async () => {
      const before = await everything(database)
      for (const options of [[], ['--replace']]) {
        const again = await reportOf(database, ...options)
        expect(Object.values(again.rows).filter(({ new: made, changed }) => made + changed > 0)).toEqual([])
        expect(await everything(database)).toEqual(before)
      }
    },
    PATIENCE,
  )

  test(
    'what an administrator has taken away does not come back; --replace restores it',
    async () => {
      await as('ada', '/users/me')
      const asAdmin = { token: tokens.get('ada') ?? null }
      const editing = key('policy Editing')
      const body = { query: { filter: { policy: { _eq: editing } }, limit: -1 } }
      expect((await service.send('DELETE', '/permissions', body, asAdmin)).status).toBe(204)
      expect((await service.send('DELETE', `/access/${key('access 3')}`, undefined, asAdmin)).status).toBe(204)
      expect((await service.send('PATCH', `/roles/${key('staff')}`, { name: 'Crew' }, asAdmin)).status).toBe(200)
      const kept = await reportOf(database)
      expect(kept.findings).toContainEqual({ kind: 'permissions-kept', what: editing, why: '5 are missing.' })
      expect((await as('edith', '/items/articles')).status).toBe(403)
      const restored = await reportOf(database, '--replace')
      expect(restored.rows['directus_roles']).toEqual({ new: 0, changed: 1, kept: 3 })
      expect(restored.rows['directus_access']).toMatchObject({ new: 1 })
      expect(idsOf(await as('edith', '/items/articles?fields=id&sort=id'))).toEqual([1, 2, 3])
    },
    PATIENCE,
  )

  test(
    '--detach drops the foreign keys, and relations lead to the new users',
    async () => {
      const detached = await reportOf(database, '--detach')
      expect(detached.dropped).toHaveLength(2)
      expect(detached.dropped.join()).toMatch(/articles\.author.*articles\.image/u)
      expect(detached.findings.filter(({ kind }) => kind === 'relation')).toEqual([])
      const article = dataOf(await as('ada', '/items/articles/1?fields=author.email,author.role.name'))
      expect(article).toEqual({ author: { email: 'ada@example.com', role: { name: 'Administrators' } } })
      const user = dataOf(await as('ada', `/users/${key('stan')}?fields=articles.title`))
      expect(user).toEqual({ articles: [{ title: 'Draft of Stan' }] })
      const [before] = states.before as [Record<string, string>]
      const after = await everything(database)
      const old = Object.entries(before).filter(([name]) => name.includes('directus_') && !name.includes('articles'))
      for (const [name, rows] of old) expect({ name, rows: after[name] }).toEqual({ name, rows })
    },
    PATIENCE,
  )

  test('validation and presets apply to new items, once the author is a user of the service', async () => {
    for (const name of ['ida', 'edith', 'ada']) await as(name, '/users/me')
    const send = (body: object) => service.send('POST', '/items/articles', body, { token: tokens.get('edith') ?? null })
    expect(codeOf(await send({ title: 'forbidden words', category: 1 }))).toBe('FAILED_VALIDATION')
    expect(codeOf(await send({ title: 'x'.repeat(61), category: 1 }))).toBe('FAILED_VALIDATION')
    expect(codeOf(await send({ title: 'A title', status: 'published' }))).toBe('FORBIDDEN')
    const made = dataOf(await send({ title: 'A title', category: 2 })) as { id: number }
    expect(made).toMatchObject({ title: 'A title', status: 'draft', author: key('edith') })
    const path = `/items/articles/${made.id}`
    expect(
      (await service.send('PATCH', path, { title: 'Another' }, { token: tokens.get('edith') ?? null })).status,
    ).toBe(200)
    expect((await service.send('DELETE', path, undefined, { token: tokens.get('ida') ?? null })).status).toBe(403)
    expect((await service.send('DELETE', path, undefined, { token: tokens.get('ada') ?? null })).status).toBe(204)
  })

  test('a database without Directus is refused in one line', async () => {
    const other = await createDatabase(dialect)
    try {
      const { code, out, error } = await migrate(other, '--dry-run')
      expect([code, out]).toEqual([2, ''])
      expect(error).toMatch(/^The schema "[^"]+" has no table directus_\w+: [^\n]+\n$/u)
    } finally {
      await other.drop()
    }
  })
})

test('the guide has a row for every table and every finding', async () => {
  const guide = await readFile(new URL('../../docs/guides/from-directus.md', import.meta.url), 'utf8')
  const rows = new Set(guide.split('\n'))
  const tables = Object.entries<TableFate>(directusTables).map(([name, fate]) =>
    'to' in fate ? `| \`${name}\` | \`${fate.to}\` | ${fate.taken} |` : `| \`${name}\` | – | ${fate.reason} |`,
  )
  const findings = Object.entries(findingKinds).map(([kind, effect]) => `| \`${kind}\` | ${effect} |`)
  expect([...tables, ...findings].filter((row) => !rows.has(row))).toEqual([])
})
