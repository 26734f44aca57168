import { describe, expect, it } from 'vitest'
import type { Filter, Operator, Query, Selection } from '../reads/ast.ts'
import { library } from '../database/fixture.ts'
import type { Cell } from '../database/model.ts'
import { answer } from './answer.ts'
import { keyText } from '../reads/random-read.ts'
import { type Permission, type Policy, type Rights, type Role, effectivePermissionsOf, type User } from './rights.ts'
import { createView } from './view.ts'

const test = (name: string, op: Operator, ...operands: Cell[]): Filter => ({
  kind: 'test',
  subject: { name },
  op,
  operands,
  other: false,
})
const withVariable = (name: string, op: Operator, ...variables: string[]): Filter => ({
  kind: 'test',
  subject: { name },
  op,
  operands: variables.map(() => null),
  other: false,
  variables,
})
const none = (field: string, filter: Filter): Filter => ({ kind: 'none', field, filter })
const select = (...names: string[]): Selection[] => names.map((name) => ({ kind: 'field', subject: { name } }))
const nest = (field: string, fields: readonly Selection[] | null): Selection => ({
  kind: 'relation',
  field,
  fields,
  bareToo: false,
  deep: {},
})
const may = (collection: string, fields: readonly string[] | null, filter: Filter | null = null): Permission => ({
  collection,
  action: 'read',
  fields,
  rule: filter === null ? null : { kind: 'filter', filter },
  validation: null,
  presets: null,
})

const chief: Role = { id: 'r1', name: 'chief', description: null, parent: null }
const clerk: Role = { id: 'r2', name: 'clerk', description: 'north', parent: 'r1' }
const ann: User = { id: 'u1', token: 't', role: 'r2', title: 'Ann', location: null }
const guest: User = { id: 'u2', token: 'g', role: null, title: null, location: null }

const policyOf = (id: string, permissions: readonly Permission[], rest: Partial<Policy> = {}): Policy => ({
  id,
  name: id,
  isAdmin: false,
  addresses: [],
  permissions,
  ...rest,
})

/** Policies are attached to Ann directly unless stated otherwise. */
function permissionModelOf(
  policies: readonly Policy[],
  holders: readonly Partial<Rights['access'][number]>[] = [],
): Rights {
  const access = policies.map(({ id }, index) => ({
    id: `a${index}`,
    role: null,
    user: holders[index] === undefined ? 'u1' : null,
    policy: id,
    sort: null,
    ...holders[index],
  }))
  return { roles: [chief, clerk], users: [ann, guest], policies, access }
}

function ask(rights: Rights, query: Query, user: User | null = ann, key: readonly string[] | null = null): unknown {
  const view = createView(library, rights, effectivePermissionsOf(rights, user))
  const outcome = answer(view, { query, key }, (collection, row) => keyText(library, collection, row))
  if (outcome.status !== 200) return outcome.code
  return JSON.parse(JSON.stringify(outcome.body)) as unknown
}

const as = (...permissions: readonly Permission[]) => permissionModelOf([policyOf('p', permissions)])
const rowsOf = (rights: Rights, query: Query, user: User | null = ann): unknown =>
  (ask(rights, query, user) as { data?: unknown }).data ?? ask(rights, query, user)

describe('who asks', () => {
  const query: Query = { collection: 'courses', fields: select('id') }
  const all = [{ id: 1 }, { id: 2 }, { id: 3 }]

  it('takes the policies of every role up to the root, and the own ones', () => {
    const held = (holder: Partial<Rights['access'][number]>) =>
      rowsOf(permissionModelOf([policyOf('p', [may('courses', ['*'])])], [holder]), query)
    expect(held({ role: 'r1' })).toEqual(all)
    expect(held({ role: 'r2' })).toEqual(all)
    expect(held({ user: 'u1' })).toEqual(all)
    expect(held({ user: 'u2' })).toBe('FORBIDDEN')
  })

  it('gives the public ones to who has no role', () => {
    const open = permissionModelOf([policyOf('p', [may('courses', ['*'])])], [{}])
    expect([rowsOf(open, query, null), rowsOf(open, query, guest), rowsOf(open, query)]).toEqual([
      all,
      all,
      'FORBIDDEN',
    ])
  })

  it('leaves out policies for other addresses, and tells who loses all by that', () => {
    const elsewhere = permissionModelOf([policyOf('p', [may('courses', ['*'])], { addresses: ['10.0.0.0/8'] })])
    expect(rowsOf(elsewhere, query)).toBe('INVALID_IP')
  })

  it('opens everything to administrators', () => {
    expect(rowsOf(permissionModelOf([policyOf('p', [], { isAdmin: true })]), query)).toEqual(all)
  })
})

describe('names', () => {
  it('refuses fields outside the union wherever they stand', () => {
    const rights = as(may('articles', ['id', 'title']))
    const refused: Query[] = [
      { collection: 'articles', fields: select('views') },
      { collection: 'articles', filter: test('views', '_nnull', true) },
      { collection: 'articles', sort: [{ path: [], subject: { name: 'views' }, desc: false }] },
      { collection: 'articles', grouping: { aggregates: [{ fn: 'max', fields: ['views'] }], groupBy: [], sort: [] } },
      {
        collection: 'articles',
        grouping: { aggregates: [], groupBy: [{ path: [], subject: { name: 'views' } }], sort: [] },
      },
      { collection: 'articles', fields: [nest('author', select('id'))] },
    ]
    for (const query of refused) expect(ask(rights, query)).toBe('FORBIDDEN')
    expect(rowsOf(rights, { collection: 'articles', limit: 1 })).toEqual([{ id: 10, title: 'One' }])
  })

  it('asks for the foreign key of a list that nobody declared', () => {
    const query: Query = { collection: 'articles', fields: [nest('comments', select('id'))], limit: 1 }
    const open = may('articles', ['*'])
    expect(rowsOf(as(open, may('comments', ['id', 'article'])), query)).toEqual([{ comments: [{ id: 1 }, { id: 2 }] }])
    expect(rowsOf(as(open, may('comments', ['id'])), query)).toBe('FORBIDDEN')
  })

  it('asks for both keys of a junction', () => {
    const query: Query = { collection: 'students', fields: [nest('courses', select('title'))], limit: 1 }
    const ends = [may('students', ['*']), may('courses', ['*'])]
    const titles = [{ courses: [{ title: 'Logic' }, { title: 'Art' }] }]
    expect(rowsOf(as(...ends, may('enrollments', ['student', 'course'])), query)).toEqual(titles)
    expect(rowsOf(as(...ends, may('enrollments', ['student'])), query)).toBe('FORBIDDEN')
  })
})

describe('rows and values', () => {
  const split = [
    may('articles', ['id', 'title'], test('id', '_lt', 12)),
    may('articles', ['id', 'views'], test('id', '_gt', 10)),
  ]

  it('shows a field in the rows of the rules that grant it', () => {
    expect(rowsOf(as(...split), { collection: 'articles', fields: select('id', 'title', 'views') })).toEqual([
      { id: 10, title: 'One', views: null },
      { id: 11, title: '', views: null },
      { id: 12, title: null, views: '5' },
      { id: 13, title: null, views: '9007199254740993' },
    ])
  })

  it('considers the permissions that grant something shown', () => {
    expect(rowsOf(as(...split), { collection: 'articles', fields: select('title') })).toEqual([
      { title: 'One' },
      { title: '' },
    ])
  })

  it('compares what can be seen', () => {
    const query: Query = { collection: 'articles', fields: select('id'), filter: test('views', '_eq', 5n) }
    expect(rowsOf(as(...split), query)).toEqual([{ id: 12 }])
  })

  it('follows relations to visible rows only', () => {
    const rights = as(may('articles', ['*']), may('authors', ['*'], test('id', '_eq', 1)))
    const named = [{ author: { name: 'Ann' } }, { author: { name: 'Ann' } }, { author: null }, { author: null }]
    expect(rowsOf(rights, { collection: 'articles', fields: [nest('author', select('name'))] })).toEqual(named)
    const filter: Filter = { kind: 'one', field: 'author', filter: test('name', '_null', true) }
    expect(rowsOf(rights, { collection: 'articles', fields: select('id'), filter })).toEqual([{ id: 12 }, { id: 13 }])
  })

  it('counts the rows that are visible', () => {
    const rights = as(may('articles', ['*'], test('id', '_gt', 11)))
    const query: Query = { collection: 'articles', fields: select('id'), filter: test('id', '_eq', 13), counts: true }
    expect(ask(rights, query)).toEqual({ data: [{ id: 13 }], meta: { total_count: 2, filter_count: 1 } })
  })

  it('searches what may be read', () => {
    const rights = as(may('authors', ['id', 'country']))
    expect(rowsOf(rights, { collection: 'authors', search: 'Ann' })).toEqual([])
    expect(rowsOf(rights, { collection: 'authors', search: 'gb' })).toEqual([{ id: 1, country: 'GB' }])
  })

  it('has one answer for what is hidden and what is not there', () => {
    const rights = as(may('courses', ['title'], test('id', '_lt', 3)))
    const query: Query = { collection: 'courses' }
    const by = (key: string) => ask(rights, query, ann, [key])
    expect([by('2'), by('3'), by('4')]).toEqual([{ data: { title: 'Art' } }, 'FORBIDDEN', 'FORBIDDEN'])
  })
})

describe('variables', () => {
  const names = (filter: Filter, user: User | null = ann): unknown => {
    const rights = permissionModelOf(
      [policyOf('p', [may('authors', ['*'], filter)]), policyOf('q', [may('authors', ['*'], filter)])],
      [{}, { user: 'u1' }],
    )
    return rowsOf(rights, { collection: 'authors', fields: select('name') }, user)
  }

  it('stand for the caller', () => {
    expect(names(withVariable('name', '_eq', '$CURRENT_USER.title'))).toEqual([{ name: 'Ann' }])
    expect(names(withVariable('name', '_nin', '$CURRENT_ROLES.name', '$CURRENT_USER.title'))).toEqual([
      { name: 'Bob' },
      { name: 'ann%' },
    ])
  })

  it('make a condition unknown when they stand for nothing', () => {
    expect(names(withVariable('name', '_eq', '$CURRENT_USER.title'), null)).toEqual([])
    expect(names(withVariable('name', '_neq', '$CURRENT_USER.location'))).toEqual([])
    expect(names(withVariable('name', '_nin', '$CURRENT_USER.title', '$CURRENT_USER.location'))).toEqual([])
    expect(names(withVariable('name', '_in', '$CURRENT_USER.title', '$CURRENT_USER.location'))).toEqual([
      { name: 'Ann' },
    ])
  })

  it('count as met inside _none', () => {
    const rule = none('articles_by_author', withVariable('title', '_eq', '$CURRENT_USER.location'))
    expect(names(rule)).toEqual([{ name: 'ann%' }])
    const list = none(
      'articles_by_author',
      withVariable('title', '_in', '$CURRENT_USER.title', '$CURRENT_USER.location'),
    )
    expect(names(list)).toEqual([{ name: 'ann%' }])
  })
})
