import { describe, expect, test } from 'vitest'
import {
  collectionMeta,
  collectionOf,
  columnOf,
  fieldMeta,
  foreignKey,
  mirrorOf,
  relationMeta,
  table,
} from '../testing/schema.ts'
import { mirror } from './mirror.ts'
import { emptyOverlay } from './overlay.ts'
import { findField, type Schema } from './schema.ts'

const inferredOf = (schema: Schema, name: string) => [...collectionOf(schema, name).inferred.keys()]
const relationOf = (schema: Schema, name: string, field: string) =>
  findField(collectionOf(schema, name), field)?.relation

const authors = table('authors', { id: 'int4' })
const child = (name: string, columns: readonly string[], to = 'authors') =>
  table(name, Object.fromEntries(['id', ...columns].map((column) => [column, 'int4'])), {
    foreignKeys: columns.map((column) => foreignKey(column, to)),
  })

describe('collections', () => {
  test('a table outside the default schema is called by both names', () => {
    const schema = mirrorOf([authors, table('authors', { id: 'int4' }, { schema: 'archive' })])
    expect([...schema.collections.keys()]).toEqual(['authors', 'archive.authors'])
  })

  test('when two tables would have one name, that of the default schema wins and the other is told as hidden', () => {
    const dotted = table('a.b', { id: 'int4', mine: 'text' })
    const other = table('b', { id: 'int4', theirs: 'text' }, { schema: 'a' })
    const pointing = table('c', { id: 'int4', b: 'int4' }, { foreignKeys: [foreignKey('b', 'b', ['id'], 'a')] })
    for (const tables of [
      [dotted, other, pointing],
      [other, pointing, dotted],
    ]) {
      const schema = mirrorOf(tables)
      expect([...collectionOf(schema, 'a.b').columns.keys()]).toEqual(['id', 'mine'])
      expect(schema.hidden).toMatchObject([{ schema: 'a', table: 'b', column: null }])
      expect(relationOf(schema, 'c', 'b')).toBeNull()
    }
  })

  test.each([
    ['view', { kind: 'view', primaryKey: [] }],
    ['materialized view', { kind: 'materialized-view', primaryKey: [] }],
    ['table without key', { primaryKey: [] }],
    ['table without privileges', { privileges: { insert: false, update: false, delete: false } }],
  ] as const)('a %s can only be read', (_, more) => {
    expect(collectionOf(mirrorOf([table('t', { id: 'int4' }, more)]), 't').isReadOnly).toBe(true)
    expect(collectionOf(mirrorOf([authors]), 'authors').isReadOnly).toBe(false)
  })

  test('the same input gives the same mirror, which cannot be changed', () => {
    const tables = [authors, child('articles', ['author'])]
    expect(mirrorOf(tables)).toEqual(mirrorOf(tables))
    expect(Object.isFrozen(mirrorOf(tables))).toBe(true)
    expect(Object.isFrozen(collectionOf(mirrorOf(tables), 'authors'))).toBe(true)
  })

  test('read-only serves everything as read-only', () => {
    const database = { defaultSchema: 'public', tables: [authors], hidden: [] }
    const schema = mirror(database, emptyOverlay, { generation: 1, fieldTypeOf: () => 'integer', isReadOnly: true })
    expect(collectionOf(schema, 'authors').isReadOnly).toBe(true)
  })
})

describe('inferred one-to-many', () => {
  test('is named like the child', () => {
    const schema = mirrorOf([authors, child('articles', ['author'])])
    expect(inferredOf(schema, 'authors')).toEqual(['articles'])
    expect(relationOf(schema, 'authors', 'articles')).toEqual({
      kind: 'many',
      columns: ['id'],
      to: 'articles',
      toColumns: ['author'],
      sortField: null,
    })
    expect(relationOf(schema, 'articles', 'author')).toEqual({
      kind: 'one',
      columns: ['author'],
      to: 'authors',
      toColumns: ['id'],
    })
  })

  test('all are named by their column when several lead to the same table', () => {
    const schema = mirrorOf([authors, child('transfers', ['sender', 'receiver'])])
    expect(inferredOf(schema, 'authors')).toEqual(['transfers_by_sender', 'transfers_by_receiver'])
  })

  test('a table can be its own child', () => {
    expect(inferredOf(mirrorOf([child('categories', ['parent'], 'categories')]), 'categories')).toEqual(['categories'])
  })

  test('a dot in the name of the child becomes an underscore', () => {
    const bins = { ...child('bins', ['author']), schema: 'warehouse' }
    expect(inferredOf(mirrorOf([authors, bins]), 'authors')).toEqual(['warehouse_bins'])
  })

  test('a column of that name wins, and the relation gets the qualified name', () => {
    const schema = mirrorOf([table('authors', { id: 'int4', articles: 'text' }), child('articles', ['author'])])
    expect(inferredOf(schema, 'authors')).toEqual(['articles_by_author'])
    expect(columnOf(schema, 'authors', 'articles').relation).toBeNull()
  })

  test('a declared field of that name wins, and the relation gets the qualified name', () => {
    const schema = mirrorOf([authors, child('articles', ['author'])], {
      fields: [fieldMeta('authors', 'articles', { special: 'alias,no-data' })],
    })
    expect(inferredOf(schema, 'authors')).toEqual(['articles_by_author'])
    expect(relationOf(schema, 'authors', 'articles')).toBeNull()
  })

  test('a foreign key may refer to any unique columns', () => {
    const currencies = table('currencies', { id: 'int4', code: 'varchar' })
    const prices = table(
      'prices',
      { id: 'int4', currency: 'varchar' },
      {
        foreignKeys: [foreignKey('currency', 'currencies', ['code'])],
      },
    )
    expect(relationOf(mirrorOf([currencies, prices]), 'currencies', 'prices')).toMatchObject({
      columns: ['code'],
      toColumns: ['currency'],
    })
  })

  test('a foreign key to a table that is not served leads nowhere', () => {
    expect(relationOf(mirrorOf([child('articles', ['author'], 'unseen')]), 'articles', 'author')).toBeNull()
  })
})

describe('composite foreign keys', () => {
  const lines = table('lines', { a: 'int4', b: 'int4' }, { primaryKey: ['a', 'b'] })
  const notes = (columns: Record<string, string>, keys: readonly (readonly string[])[]) =>
    table('notes', { id: 'int4', ...columns }, { foreignKeys: keys.map((key) => foreignKey(key, 'lines', ['a', 'b'])) })

  test('are one to-one field, named like the table, and its reverse', () => {
    const schema = mirrorOf([lines, notes({ a: 'int4', b: 'int4' }, [['a', 'b']])])
    expect(inferredOf(schema, 'notes')).toEqual(['lines'])
    expect(relationOf(schema, 'notes', 'lines')).toMatchObject({ kind: 'one', columns: ['a', 'b'] })
    expect(relationOf(schema, 'lines', 'notes')).toMatchObject({ kind: 'many', toColumns: ['a', 'b'] })
    expect(relationOf(schema, 'notes', 'a')).toBeNull()
    expect(schema.relations).toMatchObject([{ collection: 'notes', field: 'lines', relatedCollection: 'lines' }])
  })

  test('are named by their columns when the name is taken or several lead there', () => {
    const taken = mirrorOf([lines, notes({ a: 'int4', b: 'int4', lines: 'text' }, [['a', 'b']])])
    expect(inferredOf(taken, 'notes')).toEqual(['lines_by_a_b'])
    const columns = { a: 'int4', b: 'int4', c: 'int4' }
    const two = mirrorOf([
      lines,
      notes(columns, [
        ['a', 'b'],
        ['b', 'c'],
      ]),
    ])
    expect(inferredOf(two, 'notes')).toEqual(['lines_by_a_b', 'lines_by_b_c'])
    expect(two.relations.map(({ field }) => field)).toEqual(['lines_by_a_b', 'lines_by_b_c'])
    expect(inferredOf(two, 'lines')).toEqual(['notes_by_a_b', 'notes_by_b_c'])
  })
})

describe('inferred many-to-many', () => {
  const sides = [table('students', { id: 'int4' }), table('courses', { id: 'int4' })]
  const junction = (name: string, more: Record<string, string> = {}, primaryKey = ['student', 'course']) =>
    table(
      name,
      { student: 'int4', course: 'int4', ...more },
      {
        primaryKey,
        foreignKeys: [foreignKey('student', 'students'), foreignKey('course', 'courses')],
      },
    )

  test('a key of exactly two foreign keys leads to the far table, from both sides', () => {
    const schema = mirrorOf([...sides, junction('enrollments')])
    expect(inferredOf(schema, 'students')).toEqual(['enrollments', 'courses'])
    expect(inferredOf(schema, 'courses')).toEqual(['enrollments', 'students'])
    expect(relationOf(schema, 'students', 'courses')).toEqual({
      kind: 'through',
      columns: ['id'],
      junction: 'enrollments',
      nearColumns: ['student'],
      farColumns: ['course'],
      to: 'courses',
      toColumns: ['id'],
    })
  })

  test('further columns do not matter, another key does', () => {
    expect(inferredOf(mirrorOf([...sides, junction('e', { since: 'date' })]), 'students')).toContain('courses')
    expect(inferredOf(mirrorOf([...sides, junction('e', { id: 'int4' }, ['id'])]), 'students')).toEqual(['e'])
    expect(
      inferredOf(mirrorOf([...sides, junction('e', { n: 'int4' }, ['student', 'course', 'n'])]), 'students'),
    ).toEqual(['e'])
  })

  test('all are named by their junction when several lead to the same table', () => {
    const schema = mirrorOf([...sides, junction('enrollments'), junction('waiting')])
    expect(inferredOf(schema, 'students')).toEqual([
      'enrollments',
      'waiting',
      'courses_via_enrollments',
      'courses_via_waiting',
    ])
  })

  test('a table can be on both sides: the names say the direction', () => {
    const friends = table(
      'friends',
      { a: 'int4', b: 'int4' },
      {
        primaryKey: ['a', 'b'],
        foreignKeys: [foreignKey('a', 'students'), foreignKey('b', 'students')],
      },
    )
    const schema = mirrorOf([...sides, friends])
    expect(inferredOf(schema, 'students')).toEqual(['friends_by_a', 'friends_by_b', 'friends_b', 'friends_a'])
    expect(relationOf(schema, 'students', 'friends_b')).toMatchObject({ nearColumns: ['a'], farColumns: ['b'] })
  })

  test('a junction of composite keys', () => {
    const lines = table('lines', { a: 'int4', b: 'int4' }, { primaryKey: ['a', 'b'] })
    const marks = table(
      'marks',
      { a: 'int4', b: 'int4', student: 'int4' },
      {
        primaryKey: ['a', 'b', 'student'],
        foreignKeys: [foreignKey(['a', 'b'], 'lines', ['a', 'b']), foreignKey('student', 'students')],
      },
    )
    expect(relationOf(mirrorOf([...sides, lines, marks]), 'students', 'lines')).toMatchObject({
      kind: 'through',
      farColumns: ['a', 'b'],
    })
  })
})

describe('metadata', () => {
  const tables = [authors, child('articles', ['author'])]

  test('declares the reverse field, which then belongs to the aliases', () => {
    const schema = mirrorOf(tables, {
      fields: [fieldMeta('authors', 'works', { special: 'o2m' })],
      relations: [relationMeta(['articles', 'author'], 'authors', { one_field: 'works', sort_field: 'id' })],
    })
    expect([...collectionOf(schema, 'authors').aliases.keys()]).toEqual(['works'])
    expect(inferredOf(schema, 'authors')).toEqual([])
    expect(relationOf(schema, 'authors', 'works')).toMatchObject({ kind: 'many', to: 'articles', sortField: 'id' })
  })

  test('a reverse field that nobody declared as a field can be asked for by its name', () => {
    const schema = mirrorOf(tables, {
      relations: [relationMeta(['articles', 'author'], 'authors', { one_field: 'works' })],
    })
    expect(inferredOf(schema, 'authors')).toEqual(['works'])
  })

  test('that speaks of another target than the foreign key stands beside it and does not bend it', () => {
    const schema = mirrorOf([...tables, table('pages', { id: 'int4' })], {
      relations: [relationMeta(['articles', 'author'], 'pages', { one_field: 'works' })],
    })
    expect(relationOf(schema, 'articles', 'author')).toMatchObject({ to: 'authors' })
    expect(inferredOf(schema, 'authors')).toEqual(['articles'])
  })

  test('relates columns without a foreign key, by the key of the target', () => {
    const schema = mirrorOf([authors, table('articles', { id: 'int4', author: 'int4' })], {
      fields: [fieldMeta('authors', 'works', { special: 'o2m' })],
      relations: [relationMeta(['articles', 'author'], 'authors', { one_field: 'works' })],
    })
    expect(relationOf(schema, 'articles', 'author')).toMatchObject({ kind: 'one', toColumns: ['id'] })
    expect(relationOf(schema, 'authors', 'works')).toMatchObject({ kind: 'many', toColumns: ['author'] })
  })

  test('that outlives its column or its table declares nothing any more', () => {
    const schema = mirrorOf([authors, table('articles', { id: 'int4' })], {
      fields: [fieldMeta('authors', 'works', { special: 'o2m' }), fieldMeta('gone', 'x')],
      relations: [
        relationMeta(['articles', 'author'], 'authors', { one_field: 'works' }),
        relationMeta(['gone', 'author'], 'authors', { one_field: 'others' }),
      ],
    })
    expect(relationOf(schema, 'authors', 'works')).toBeNull()
    expect(inferredOf(schema, 'authors')).toEqual([])
    expect(schema.collections.has('gone')).toBe(false)
  })

  test('many-to-any needs both of its columns', () => {
    const meta = { one_collection_field: 'collection', one_allowed_collections: ['authors', 'gone'] }
    const relations = [relationMeta(['blocks', 'item'], null, meta)]
    const whole = mirrorOf([authors, table('blocks', { id: 'int4', item: 'text', collection: 'text' })], { relations })
    expect(relationOf(whole, 'blocks', 'item')).toEqual({
      kind: 'any',
      column: 'item',
      collectionColumn: 'collection',
      allowed: ['authors'],
    })
    const half = mirrorOf([authors, table('blocks', { id: 'int4', item: 'text' })], { relations })
    expect(relationOf(half, 'blocks', 'item')).toBeNull()
  })

  test('a field of the name of a column describes the column', () => {
    const schema = mirrorOf([table('t', { id: 'int4', list: 'text', note: 'text', odd: 'text' })], {
      fields: [
        fieldMeta('t', 'list', { special: 'cast-csv' }),
        fieldMeta('t', 'note', { special: 'conceal,unheard-of' }),
        fieldMeta('t', 'odd', { special: 'o2m' }),
      ],
    })
    expect([...collectionOf(schema, 't').aliases.keys()]).toEqual([])
    expect(columnOf(schema, 't', 'list').type).toBe('csv')
    expect(columnOf(schema, 't', 'note').specials).toEqual(['conceal'])
    expect(columnOf(schema, 't', 'odd')).toMatchObject({ kind: 'column', type: 'text', relation: null })
  })

  test('collections carry their own', () => {
    const schema = mirrorOf(tables, { collections: [collectionMeta('authors', { sort_field: 'id' })] })
    expect(collectionOf(schema, 'authors').meta?.sort_field).toBe('id')
    expect(collectionOf(schema, 'articles').meta).toBeNull()
  })
})
