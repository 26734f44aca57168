import { describe, expect, it } from 'vitest'
import type { Collection } from '../../schema/schema.ts'
import { planAccess, planPermissionRows } from './plan-rows.ts'
import { createCounting } from './row-change.ts'
import { collectionRows, fieldRows, oldTableRows, relationRows } from './schema-rows.ts'
import type { Source } from './source.ts'
import { folderRows, policyRows, settingsRow } from './system-rows.ts'
import { takenUsers } from './unique-users.ts'
import { userRows } from './user-rows.ts'
import { flagIn, listIn, type TextRow } from './values.ts'

const ID = '00000000-0000-4000-8000-00000000000'

const sourceOf = (rows: Readonly<Record<string, readonly TextRow[]>>, columns: readonly string[] = []): Source => ({
  rows: (table) => rows[table] ?? [],
  tables: new Map([
    [
      'directus_users',
      { name: 'directus_users', columns: new Map(columns.map((name) => [name, {}])) } as unknown as Collection,
    ],
  ]),
  withoutEqual: [],
})

describe('a value of Directus', () => {
  it.each([
    ['t', true],
    ['true', true],
    ['1', true],
    ['f', false],
    ['0', false],
    [null, false],
  ])('%s is the boolean %s', (text, value) => expect(flagIn(text)).toBe(value))

  it.each([
    ['a, b,', ['a', 'b']],
    ['["a","b"]', ['a', 'b']],
    ['', []],
    [null, null],
  ])('%s is the list %s', (text, value) => expect(listIn(text)).toEqual(value))
})

describe('metadata', () => {
  it('keeps its values; missing columns keep the defaults of the service', () => {
    const { rows } = collectionRows(
      sourceOf({ directus_collections: [{ collection: 'a', singleton: '1', hidden: null, sort: '3', group: 'g' }] }),
    )
    expect(rows).toMatchObject([
      { table: 'service_collections', keys: { collection: 'a' }, meta: { singleton: true, sort: 3, group: 'g' } },
    ])
    expect(rows[0]?.meta).not.toHaveProperty('hidden')
  })

  it('of a field with unreadable JSON is reported', () => {
    const { rows, findings } = fieldRows(sourceOf({ directus_fields: [{ collection: 'a', field: 'b', options: '{' }] }))
    expect(rows).toEqual([])
    expect(findings).toMatchObject([{ kind: 'row', what: 'a.b' }])
  })

  it('of a list on users moves to the users of the service, that of a column is reported', () => {
    const given = ['list', 'column'].map((field) => ({ collection: 'directus_users', field, special: 'o2m' }))
    const { rows, findings } = fieldRows(sourceOf({ directus_fields: given }, ['column']))
    expect(rows.map(({ keys }) => keys)).toEqual([{ collection: 'service_users', field: 'list' }])
    expect(findings).toMatchObject([{ kind: 'custom-field', what: 'directus_users.column' }])
  })

  it('of a relation to users leads to the old table until it is detached', () => {
    const source = sourceOf({
      directus_relations: [{ many_collection: 'a', many_field: 'b', one_collection: 'directus_users' }],
    })
    expect(relationRows(source, false)).toMatchObject({
      rows: [{ one: 'directus_users' }],
      findings: [{ kind: 'relation', what: 'a.b' }],
    })
    expect(relationRows(source, true)).toMatchObject({ rows: [{ one: 'service_users', isForced: true }], findings: [] })
  })

  it('hides the old tables and conceals their secrets', () => {
    const rows = oldTableRows(sourceOf({}, ['id', 'password']))
    expect(rows.map(({ keys, meta }) => [keys, meta['hidden'], meta['special']])).toEqual([
      [{ collection: 'directus_users' }, true, undefined],
      [{ collection: 'directus_users', field: 'password' }, true, 'conceal'],
    ])
  })
})

describe('rows of the service', () => {
  it('have their parents first; a circle is broken and reported', () => {
    const folder = (id: number, parent: number | null) => ({
      id: `${ID}${id}`,
      name: `f${id}`,
      parent: parent === null ? null : `${ID}${parent}`,
    })
    const rows = [folder(1, 2), folder(2, null), folder(3, 4), folder(4, 3)]
    const mapped = folderRows(sourceOf({ directus_folders: rows }))
    expect(mapped.rows.map(({ name, parent }) => [name, parent])).toEqual([
      ['f2', null],
      ['f1', `${ID}2`],
      ['f3', null],
      ['f4', null],
    ])
    expect(mapped.findings.map(({ kind }) => kind)).toEqual(['parent', 'parent'])
  })

  it('do not contain a policy whose addresses cannot be understood', () => {
    const policy = { id: `${ID}1`, name: 'p', ip_access: '10.0.0.1,home', admin_access: 't' }
    expect(policyRows(sourceOf({ directus_policies: [policy] }))).toMatchObject({
      rows: [],
      findings: [{ kind: 'policy', what: 'p' }],
    })
  })

  it('do not contain settings that the service refuses', () => {
    const { row, findings } = settingsRow(
      sourceOf({ directus_settings: [{ project_name: 'x', project_color: 'red', project_logo: `${ID}1` }] }),
    )
    expect(row).toEqual({ project_name: 'x' })
    expect(findings.map(({ what }) => what)).toEqual(['project_logo', 'project_color'])
  })
})

describe('users', () => {
  const user = (more: TextRow): TextRow => ({
    id: `${ID}1`,
    email: 'a@example.com',
    status: 'active',
    role: null,
    ...more,
  })
  const map = (more: TextRow) =>
    userRows(sourceOf({ directus_users: [user(more)] }), { encryption: null, roles: new Set() })

  it('are suspended if their second factor is lost, because they could sign in without it', () => {
    const { rows, findings } = map({ tfa_secret: 'JBSWY3DPEHPK3PXPJBSW' })
    expect(rows).toMatchObject([{ status: 'suspended', tfa_secret: null }])
    expect(findings).toMatchObject([{ kind: 'user-second-factor', why: 'SECRET is not set.' }])
  })

  it('are suspended if their role is not known, because they would have the public permissions', () => {
    expect(map({ role: `${ID}9` }).rows).toMatchObject([{ status: 'suspended', role: null }])
  })

  it('have no token in clear text', () => {
    expect(map({ token: 'a-token-of-mine' }).rows[0]?.['token']).toMatch(/^[\da-f]{64}$/u)
  })

  it('with the email address of another user are not taken, whatever the case', () => {
    const { rows } = map({ email: 'A@Example.com' })
    const held = [{ id: `${ID}2`, email: 'a@example.com', token: null, external_identifier: null }]
    expect(takenUsers({ rows, findings: [] }, held)).toMatchObject({ rows: [], findings: [{ kind: 'user' }] })
  })
})

describe('attachments', () => {
  const row = { id: 'a', role: 'r', user: null, policy: 'p', sort: null }
  const plan = (fresh: readonly string[], isReplacing: boolean) =>
    planAccess([row], [], { fresh: new Set(fresh), taken: new Set(['r', 'p']), isReplacing }, createCounting())

  it('are made if the role or the policy is new', () => expect(plan(['p'], false)).toHaveLength(1))
  it('are not made again after an administrator has removed them', () => expect(plan([], false)).toEqual([]))
  it('are made again by a replacement', () => expect(plan([], true)).toHaveLength(1))
})

describe('permissions of a policy', () => {
  const row = (action: string, policy = 'p') => ({ policy, collection: 'c', action, permissions: null, fields: ['*'] })
  const plan = (held: readonly object[], isTaking: boolean, wanted = [row('read')]) =>
    planPermissionRows(wanted, held as never, (policy) => isTaking && policy === 'p', createCounting())

  it('are taken if the policy is', () => expect(plan([], true).changes).toHaveLength(1))
  it('stay if they are the same', () => expect(plan([{ id: 1, ...row('read') }], true).changes).toEqual([]))
  it('stay and are reported if the policy stays', () =>
    expect(plan([{ id: 1, ...row('delete') }], false)).toMatchObject({
      changes: [],
      findings: [{ kind: 'permissions-kept', what: 'p' }],
    }))
  it('are removed by a replacement if Directus has none, and those of other policies stay', () =>
    expect(
      plan(
        [
          { id: 1, ...row('delete') },
          { id: 2, ...row('read', 'own') },
        ],
        true,
        [],
      ).changes,
    ).toMatchObject([{ kind: 'remove', keys: [{ column: 'id', value: '1' }] }]))
})
