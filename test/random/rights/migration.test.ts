// After a migration from Directus, the oracle judges the reads of every user by the permissions in the tables of Directus.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callCommand } from '../../lib/command.ts'
import { createDatabase, type TestDatabase } from '../../lib/databases.ts'
import {
  accessRows,
  createDirectus,
  key,
  passwordOf,
  permissionRows,
  policyRows,
  roleRows,
} from '../../fixtures/directus.ts'
import type { Filter, Operator } from '../reads/ast.ts'
import type { Cell, Column, ColumnType, Json, Model, Relation, Row, Table } from '../database/model.ts'
import { createRng } from '../rng.ts'
import { dataOf, SECRET, startService, type Service } from '../../lib/service.ts'
import { answer } from './answer.ts'
import { keyText, randomRead } from '../reads/random-read.ts'
import { requestOf } from '../reads/encoding.ts'
import { compare } from '../reads/case.ts'
import { effectivePermissionsOf, type Action, type Permission, type Rights, type User } from './rights.ts'
import { createView } from './view.ts'

const READS = 400
const SEED = 14

const columns: Readonly<Record<string, Readonly<Record<string, ColumnType>>>> = {
  categories: { id: 'integer', name: 'varchar' },
  articles: {
    id: 'integer',
    title: 'varchar',
    status: 'varchar',
    published: 'timestamptz',
    category: 'integer',
    author: 'uuid',
    image: 'uuid',
  },
  tags: { id: 'integer', name: 'varchar' },
  articles_tags: { id: 'integer', articles_id: 'integer', tags_id: 'integer', sort: 'integer' },
  pages: { id: 'integer', title: 'varchar' },
  block_text: { id: 'integer', body: 'varchar' },
  block_quote: { id: 'integer', quote: 'varchar' },
  pages_blocks: { id: 'integer', pages_id: 'integer', item: 'varchar', collection: 'varchar', sort: 'integer' },
  // Nobody but an administrator reads these; foreign keys lead there.
  directus_users: { id: 'uuid' },
  directus_files: { id: 'uuid' },
}

const one = (field: string, target: string): Relation => ({
  kind: 'one',
  field,
  target,
  link: { near: [field], far: ['id'] },
  isColumn: true,
})
const many = (field: string, target: string, far: string): Relation => ({
  kind: 'many',
  field,
  target,
  link: { near: ['id'], far: [far] },
  isDeclared: true,
})

const relations: Readonly<Record<string, readonly Relation[]>> = {
  categories: [many('articles', 'articles', 'category')],
  articles: [
    one('category', 'categories'),
    one('author', 'directus_users'),
    one('image', 'directus_files'),
    many('tags', 'articles_tags', 'articles_id'),
  ],
  articles_tags: [one('articles_id', 'articles'), one('tags_id', 'tags')],
  pages: [many('blocks', 'pages_blocks', 'pages_id')],
  pages_blocks: [one('pages_id', 'pages')],
}

const columnOf = ([name, type]: [string, ColumnType]): Column => ({
  name,
  type,
  nullable: name !== 'id',
  identity: name === 'id' && type === 'integer',
  enumType: null,
})

const tableOf = (collection: string): Table => ({
  schema: 'public',
  name: collection,
  collection,
  columns: Object.entries(columns[collection] ?? {}).map(columnOf),
  key: ['id'],
  uniques: [],
  foreignKeys: [],
})

function cellOf(type: ColumnType, text: string | null): Cell {
  if (text === null) return null
  if (type === 'integer') return Number(text)
  return type === 'timestamptz' ? Date.parse(text.replace(' ', 'T').replace(/\+00$/u, 'Z')) * 1000 : text
}

async function modelOf({ query }: TestDatabase): Promise<Model> {
  const names = Object.keys(columns)
  const rowsOf = async (collection: string): Promise<readonly [string, readonly Row[]]> => {
    const types = Object.entries(columns[collection] ?? {})
    const rows = await query(`select ${types.map(([name]) => `"${name}"`).join(', ')} from ${collection} order by id`)
    return [
      collection,
      rows.map((row) => new Map(types.map(([name, type], index) => [name, cellOf(type, row[index] ?? null)]))),
    ]
  }
  const rows: (readonly [string, readonly Row[]])[] = []
  for (const name of names) rows.push(await rowsOf(name))
  return {
    dialect: 'postgres',
    enums: [],
    tables: new Map(names.map((name) => [name, tableOf(name)])),
    rows: new Map(rows),
    relations: new Map(names.map((name) => [name, new Map((relations[name] ?? []).map((each) => [each.field, each]))])),
    anys: new Map([
      ['pages_blocks', { field: 'item', collectionColumn: 'collection', allowed: ['block_text', 'block_quote'] }],
    ]),
  }
}

type Wire = Readonly<Record<string, Json>>

const isVariable = (value: Json): value is string => typeof value === 'string' && value.startsWith('$')

/** A rule as Directus stores it, in the form of the oracle. */
function filterOf(wire: Wire, collection: string): Filter {
  const items = Object.entries(wire).map(([name, value]): Filter => {
    if (name === '_and' || name === '_or')
      return {
        kind: name === '_and' ? 'and' : 'or',
        flat: false,
        items: (value as readonly Wire[]).map((item) => filterOf(item, collection)),
      }
    const relation = relations[collection]?.find(({ field }) => field === name)
    const [op = '', operand = null] = Object.entries(value as Wire)[0] ?? []
    if (relation !== undefined && !op.startsWith('_')) {
      const filter = filterOf(value as Wire, relation.target)
      return relation.kind === 'one'
        ? { kind: 'one', field: name, filter }
        : { kind: 'some', field: name, filter, flat: true }
    }
    const operands = (Array.isArray(operand) ? operand : [operand]) as Json[]
    const test = { kind: 'test', subject: { name }, op: op as Operator, other: false } as const
    return operands.some(isVariable)
      ? {
          ...test,
          operands: operands.map(() => null),
          variables: operands.map((each) => (isVariable(each) ? each : null)),
        }
      : { ...test, operands: operands as Cell[] }
  })
  return items.length === 1 ? (items[0] as Filter) : { kind: 'and', items, flat: false }
}

/** The report names these; nothing of them is taken. */
const refused = new Set([key('policy Broken'), key('policy Nowhere')])
/** A permission on users is about those of the service from now on. */
const isAboutItems = (collection: string) => Object.hasOwn(columns, collection) && !collection.startsWith('directus_')

const permissionsOf = (policy: string): Permission[] =>
  permissionRows
    .filter((row) => row.policy === policy && !refused.has(policy) && isAboutItems(row.collection))
    .map(({ collection, action, fields, permissions }) => ({
      collection,
      action: action as Action,
      fields: fields?.split(',') ?? null,
      rule:
        permissions === null || Object.keys(permissions).length === 0
          ? null
          : { kind: 'filter', filter: filterOf(permissions as Wire, collection) },
      validation: null,
      presets: null,
    }))

const rightsOf = (users: readonly User[]): Rights => ({
  roles: roleRows.map(({ id, name, ...rest }) => ({
    id,
    name,
    description: null,
    parent: 'parent' in rest ? rest.parent : null,
  })),
  policies: policyRows
    .filter(({ id }) => id !== key('policy Nowhere'))
    .map((policy) => ({
      id: policy.id,
      name: policy.name,
      isAdmin: policy.admin_access,
      addresses: 'ip_access' in policy ? String(policy['ip_access']).split(',') : [],
      permissions: permissionsOf(policy.id),
    })),
  users,
  access: accessRows.filter(({ policy }) => policy !== key('policy Nowhere')),
})

let database: TestDatabase
let service: Service

beforeAll(async () => {
  database = await createDatabase('postgres')
  await createDirectus(database)
  // The interpreter of the oracle knows no sort field: lists are in the order of their keys.
  for (const junction of ['articles_tags', 'pages_blocks']) await database.query(`update ${junction} set sort = id`)
  const { code, error } = await callCommand(['migrate-from', 'directus'], {
    environment: { DATABASE_URL: database.url, SECRET },
  })
  if (code !== 0) throw new Error(error)
  service = await startService({ DATABASE_URL: database.url, ADMIN_TOKEN: undefined })
}, 240_000)

afterAll(async () => {
  await service?.stop()
  await database?.drop()
})

async function userOf(name: string, role: string): Promise<User> {
  const body = { email: `${name}@example.com`, password: passwordOf(name) }
  const { access_token: token } = dataOf(await service.send('POST', '/auth/login', body, { token: null })) as {
    access_token: string
  }
  return { id: key(name), token, role: key(role), title: null, location: null }
}

test('the oracle finds no difference in random reads of the migrated users', { timeout: 240_000 }, async () => {
  const users = [await userOf('stan', 'staff'), await userOf('edith', 'editors'), await userOf('ida', 'interns')]
  const rights = rightsOf(users)
  const model = await modelOf(database)
  const callers = [null, ...users]
  const views = callers.map((user) => createView(model, rights, effectivePermissionsOf(rights, user)))
  const statuses = new Map<number, number>()
  const differences: object[] = []
  for (let index = 0; index < READS; index += 1) {
    const rng = createRng(SEED, index)
    const at = rng.int(0, callers.length - 1)
    const view = views[at]!
    const read = randomRead(rng, view)
    const expected = answer(view, read, (name, row) => keyText(model, name, row))
    const request = requestOf(model, read, 'SEARCH', callers[at] ?? null)
    const body: unknown = 'body' in request ? request.body : undefined
    const { status, body: actual } = await service.send(request.method, request.path, body, {
      token: request.token ?? null,
    })
    const reason = compare(expected, { status, body: actual })
    if (reason !== null) differences.push({ reason, index, user: callers[at]?.id, request, expected, actual })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect(differences.slice(0, 3)).toEqual([])
  // Both outcomes are common, or the comparison would say little.
  expect(Math.min(statuses.get(200) ?? 0, statuses.get(403) ?? 0)).toBeGreaterThan(READS / 20)
})
