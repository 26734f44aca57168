import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatSql } from '../../../../test/golden/format-sql.ts'
import { collectionMeta, column, fieldMeta, foreignKey, relationMeta, table } from '../testing/schema.ts'
import { administrator, anonymous, type Actor, type Governed } from '../access/actor.ts'
import { createGrantCache } from '../access/grants.ts'
import type { Permission } from '../access/permissions.ts'
import { queryKeyOf } from '../query/keyed-query.ts'
import { parseQuery } from '../query/parse-query.ts'
import { mirror } from '../schema/mirror.ts'
import { emptyOverlay } from '../schema/overlay.ts'
import type { Schema } from '../schema/schema.ts'
import type { DatabaseColumn } from '../sql/database-schema.ts'
import type { Dialect } from '../sql/dialect.ts'
import { serverOf } from '../sql/dialects/mysql/capabilities.ts'
import { createDialect } from '../sql/dialects/mysql/index.ts'
import { postgres } from '../sql/dialects/postgres/index.ts'
import { sqlite } from '../sql/dialects/sqlite/index.ts'
import { createCompileRead, type ReadRequest } from './compile-read.ts'
import { createFits } from './operand-compatible.ts'

const isUpdate = process.env['UPDATE_GOLDEN'] === '1'

type Type = 'int' | 'varchar' | 'text' | 'timestamp' | 'json'

/** A dialect, and the catalogue's words for the types of the schema. */
interface Database {
  readonly dialect: Dialect
  readonly defaultSchema: string
  readonly types: Readonly<Record<Type, Pick<DatabaseColumn, 'baseType' | 'castType'>>>
}

const sameName = (name: string) => ({ baseType: name, castType: name })
const collated = (baseType: string, type: string) => ({ baseType, castType: `${type} collate utf8mb4_uca1400_ai_ci` })

const databases: Readonly<Record<string, Database>> = {
  postgres: {
    dialect: postgres,
    defaultSchema: 'public',
    types: {
      int: { baseType: 'int4', castType: 'integer' },
      varchar: { baseType: 'varchar', castType: 'character varying' },
      text: sameName('text'),
      timestamp: { baseType: 'timestamptz', castType: 'timestamp with time zone' },
      json: sameName('jsonb'),
    },
  },
  mysql: {
    dialect: createDialect(serverOf('11.4.2-MariaDB')),
    defaultSchema: 'app',
    types: {
      int: { baseType: 'int', castType: 'int(11)' },
      varchar: collated('varchar', 'varchar(255)'),
      text: collated('text', 'text'),
      timestamp: sameName('timestamp'),
      json: { baseType: 'json', castType: 'longtext collate utf8mb4_bin' },
    },
  },
  sqlite: {
    dialect: sqlite,
    defaultSchema: 'main',
    types: {
      int: { baseType: 'int', castType: 'integer' },
      varchar: sameName('varchar'),
      text: sameName('text'),
      timestamp: sameName('timestamp'),
      json: sameName('json'),
    },
  },
}

const tables: Readonly<Record<string, Readonly<Record<string, Type>>>> = {
  authors: { id: 'int', name: 'varchar' },
  articles: {
    id: 'int',
    title: 'varchar',
    status: 'varchar',
    author: 'int',
    published: 'timestamp',
    views: 'int',
    document: 'json',
    password: 'text',
  },
  comments: { id: 'int', article: 'int', body: 'text', created: 'timestamp' },
  tags: { id: 'int', label: 'varchar' },
  articles_tags: { id: 'int', article: 'int', tag: 'int' },
  pages: { id: 'int', title: 'varchar' },
  heroes: { id: 'int', headline: 'varchar' },
  texts: { id: 'int', content: 'text' },
  blocks: { id: 'int', page: 'int', collection: 'varchar', item: 'varchar', sort: 'int' },
  order_lines: { order_no: 'int', line_no: 'int', product: 'varchar' },
}

const references: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  articles: { author: 'authors' },
  comments: { article: 'articles' },
  articles_tags: { article: 'articles', tag: 'tags' },
  blocks: { page: 'pages' },
}

const keys: Readonly<Record<string, readonly string[]>> = { order_lines: ['order_no', 'line_no'] }

/** Articles with authors, comments and tags, and pages built of blocks. */
const schemaOf = ({ dialect: { fieldTypeOf }, defaultSchema, types }: Database): Schema =>
  mirror(
    {
      defaultSchema,
      hidden: [],
      tables: Object.entries(tables).map(([name, columns]) => {
        const primaryKey = keys[name] ?? ['id']
        return table(
          name,
          {},
          {
            schema: defaultSchema,
            primaryKey,
            uniques: [primaryKey],
            columns: Object.entries(columns).map(([columnName, type]) =>
              column(columnName, types[type].baseType, {
                ...types[type],
                isNullable: !primaryKey.includes(columnName),
              }),
            ),
            foreignKeys: Object.entries(references[name] ?? {}).map(([from, to]) =>
              foreignKey(from, to, ['id'], defaultSchema),
            ),
          },
        )
      }),
    },
    {
      ...emptyOverlay,
      version: 1,
      collections: [collectionMeta('tags', { sort_field: 'label' })],
      fields: [
        fieldMeta('authors', 'articles', { special: 'o2m' }),
        fieldMeta('articles', 'comments', { special: 'o2m' }),
        fieldMeta('articles', 'tags', { special: 'm2m' }),
        fieldMeta('articles', 'password', { special: 'conceal' }),
        fieldMeta('pages', 'blocks', { special: 'm2a' }),
      ],
      relations: [
        relationMeta(['articles', 'author'], 'authors', { one_field: 'articles' }),
        relationMeta(['comments', 'article'], 'articles', { one_field: 'comments' }),
        relationMeta(['articles_tags', 'article'], 'articles', { one_field: 'tags', junction_field: 'tag' }),
        relationMeta(['articles_tags', 'tag'], 'tags', { junction_field: 'article' }),
        relationMeta(['blocks', 'page'], 'pages', { one_field: 'blocks', sort_field: 'sort' }),
        relationMeta(['blocks', 'item'], null, {
          one_collection_field: 'collection',
          one_allowed_collections: ['heroes', 'texts'],
        }),
      ],
    },
    { generation: 1, fieldTypeOf, isReadOnly: false },
  )

type Granted = Pick<Permission, 'rule' | 'fields'>

/** Published articles and the articles of one author, with other fields each; comments on published articles. */
const grants: Readonly<Record<string, readonly Granted[]>> = {
  articles: [
    { rule: { status: 'published' }, fields: new Set(['id', 'title', 'status', 'author', 'comments']) },
    { rule: { author: { name: '$CURRENT_USER' } }, fields: new Set(['id', 'title', 'comments']) },
  ],
  comments: [{ rule: { article: { status: 'published' } }, fields: 'all' }],
  authors: [{ rule: null, fields: 'all' }],
}

const permissionsFor = ({ name }: Governed): readonly Permission[] =>
  (grants[name] ?? []).map((granted) => ({
    ...granted,
    id: 1,
    policy: 'p',
    collection: name,
    action: 'read',
    validation: null,
    presets: null,
  }))

const reader: Actor = {
  ...anonymous,
  user: 'u',
  grantKey: 'reader',
  permissionsFor,
  may: (_, collection) => permissionsFor(collection).length > 0,
  fieldsFor: (collection) => {
    const lists = permissionsFor(collection).map(({ fields }) => fields)
    return lists.includes('all') ? 'all' : new Set(lists.flatMap((list) => (list === 'all' ? [] : [...list])))
  },
}

interface Case {
  readonly collection: string
  readonly query: Readonly<Record<string, unknown>>
  readonly by?: ReadRequest['by']
  readonly cursor?: ReadRequest['cursor']
  readonly actor?: Actor
}

const cases: Readonly<Record<string, Case>> = {
  fields: { collection: 'articles', query: { fields: ['id', 'title', 'password', 'document'] } },
  'all-fields': { collection: 'comments', query: { fields: '*' } },
  'item-by-key': { collection: 'articles', query: { fields: ['id', 'title'] }, by: 'key' },
  'item-by-composite-key': { collection: 'order_lines', query: {}, by: 'key' },
  'items-by-keys': { collection: 'order_lines', query: { fields: 'product' }, by: 'keys' },
  images: { collection: 'articles', query: { fields: ['id', 'title'] }, by: 'images', actor: reader },
  'many-to-one': { collection: 'comments', query: { fields: ['id', 'article.title', 'article.author.name'] } },
  'one-to-many': { collection: 'articles', query: { fields: ['id', 'comments.body'], limit: 5 } },
  'many-to-many': { collection: 'articles', query: { fields: ['title', 'tags.tag.label'] } },
  'many-to-any': {
    collection: 'pages',
    query: { fields: ['title', 'blocks.item:heroes.headline', 'blocks.item:texts.content'] },
  },
  filter: {
    collection: 'articles',
    query: {
      fields: 'id',
      filter: { _or: [{ status: { _in: ['draft', 'review'] } }, { title: { _icontains: 'x' }, views: { _gte: 10 } }] },
    },
  },
  'filter-to-one': {
    collection: 'comments',
    query: { fields: 'id', filter: { article: { author: { name: 'Ana' } } } },
  },
  'filter-to-many': {
    collection: 'articles',
    query: { fields: 'id', filter: { comments: { _none: { body: { _null: true } } }, tags: { tag: { label: 'x' } } } },
  },
  'filter-json': { collection: 'articles', query: { fields: 'id', filter: { document: { _json: { 'a.b': 1 } } } } },
  sort: {
    collection: 'articles',
    query: { fields: 'id', sort: ['-published', 'author.name', 'count(comments)'], limit: 10, page: 3 },
  },
  search: { collection: 'articles', query: { fields: 'id', search: 'sea', meta: ['total_count', 'filter_count'] } },
  aggregate: { collection: 'articles', query: { aggregate: { count: '*', countDistinct: 'status', avg: 'views' } } },
  'group-by': {
    collection: 'articles',
    query: { aggregate: { sum: 'views' }, groupBy: ['status', 'year(published)', 'author.name'], sort: '-sum.views' },
  },
  deep: {
    collection: 'authors',
    query: {
      fields: ['name', 'articles.title', 'articles.comments.*'],
      deep: {
        articles: { _filter: { status: 'published' }, _sort: '-views', _limit: 3, comments: { _limit: 1, _offset: 2 } },
      },
    },
  },
  cursor: {
    collection: 'articles',
    query: { fields: 'title', sort: ['-published', 'title'], limit: 10, meta: 'cursor' },
    cursor: { nulls: [false, true, false], isBackward: false },
  },
  cut: {
    collection: 'articles',
    query: { fields: ['id', 'title', 'document', 'comments.body'], limit: 5, cut: 200 },
  },
  'counts-up-to': {
    collection: 'articles',
    query: { fields: 'id', filter: { views: { _gt: 5 } }, meta: ['total_count', 'filter_count'], count_up_to: 1000 },
  },
  'cursor-backward': {
    collection: 'articles',
    query: { fields: 'title', sort: ['-published', 'title'], limit: 10, meta: 'cursor' },
    cursor: { nulls: [false, true, false], isBackward: true },
  },
  'estimate-of-table': { collection: 'articles', query: { fields: 'id', meta: 'estimated_count' } },
  'estimate-under-rules': {
    collection: 'articles',
    query: { fields: 'title', filter: { status: 'published' }, meta: 'estimated_count', count_up_to: 1000 },
    actor: reader,
  },
  sought: {
    collection: 'articles',
    query: { fields: 'title', sort: ['-published', 'title'], limit: 10, meta: 'cursor', seek: 0.5 },
    cursor: { nulls: [false, true, false], isBackward: false, isInclusive: true },
  },
  'last-page': {
    collection: 'articles',
    query: { fields: 'title', sort: ['-published', 'title'], limit: 10, meta: 'cursor', seek: 1 },
    cursor: { nulls: [], isBackward: true, isInclusive: true },
  },
  alias: {
    collection: 'articles',
    query: {
      fields: ['title', 'first.body', 'last.body'],
      alias: { first: 'comments', last: 'comments' },
      deep: { first: { _sort: 'created', _limit: 1 }, last: { _sort: '-created', _limit: 1 } },
    },
  },
  functions: { collection: 'articles', query: { fields: ['year(published)', 'count(comments)', 'json(document,a)'] } },
  permissions: {
    collection: 'articles',
    query: { fields: ['title', 'author.name', 'comments.body'], filter: { status: 'published' } },
    actor: reader,
  },
}

const limits = { depth: 10, jsonDepth: 10, listLength: 100, limitDefault: 100, limitMax: null }
const cost = { entries: 1000, conditions: 1000, values: 1000, nodes: 1000, joins: 100, rows: 1e9 }

/** parse → bind → authorize → plan → SQL text. */
function statementOf({ collection, query: wire, by = 'query', cursor = null, actor }: Case, database: Database) {
  const { dialect } = database
  const compile = createCompileRead({
    dialect,
    limitDefault: limits.limitDefault,
    version: dialect.versionTable('service'),
    responseSize: 1024 ** 2,
    cost,
    size: 1,
    isCaching: false,
    fits: createFits(dialect),
    grants: createGrantCache(),
  })
  const { query, meta, countUpTo } = parseQuery(wire, limits)
  const queryKey = queryKeyOf(query)
  const wantsRowVersion = by === 'key'
  return compile(
    { collection, isSystem: false, query, queryKey, by, wantsRowVersion, wantsKeys: false, meta, countUpTo, cursor },
    schemaOf(database),
    actor ?? administrator,
  ).statement.text
}

const goldenFile = join(import.meta.dirname, 'plan-read.golden.sql')

function textOf(read: Case): string {
  const parts = Object.entries(databases).map(
    ([dialect, database]) => `-- ${dialect}\n${formatSql(statementOf(read, database))}`,
  )
  return `-- ${read.collection} ${JSON.stringify(read.query)}\n\n${parts.join('\n')}\n`
}

/** The text of each case; the statements of all databases stand in one file, so that a change shows them side by side. */
function readGolden(): ReadonlyMap<string, string> {
  const [, ...parts] = readFileSync(goldenFile, 'utf8').split(/^-- case /mu)
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n')
      return [part.slice(0, end), part.slice(end + 1)]
    }),
  )
}

function writeGolden(): void {
  const parts = Object.entries(cases).map(([name, read]) => `-- case ${name}\n${textOf(read)}`)
  writeFileSync(goldenFile, parts.join(''))
}

describe('the statement of a read', () => {
  if (isUpdate) writeGolden()
  const golden = readGolden()

  test.each(Object.entries(cases))('%s', (name, read) => {
    expect(textOf(read)).toBe(golden.get(name))
  })

  test('the golden file holds no other case', () => {
    expect([...golden.keys()]).toEqual(Object.keys(cases))
  })
})
