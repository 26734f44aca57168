import { describe, expect, test } from 'vitest'
import { collectionOf, fieldMeta, foreignKey, mirrorOf, relationMeta, table } from '../testing/schema.ts'
import { fieldNames } from '../graphql/schema/names.ts'
import type { DatabaseTable } from '../sql/database-schema.ts'
import type { StoredName } from '../sql/service/names.ts'
import { afterStoring } from './names.ts'
import type { Overlay } from './overlay.ts'
import type { Schema } from './schema.ts'

const people = table('people', { id: 'int4' })
const books = table('books', { id: 'int4' })
const letters = (...columns: readonly string[]) =>
  table('letters', Object.fromEntries(['id', ...columns].map((column) => [column, 'int4'])), {
    foreignKeys: columns.map((column) => foreignKey(column, 'people')),
  })
const junction = (name: string, far = 'books') =>
  table(
    name,
    { person: 'int4', other: 'int4' },
    { primaryKey: ['person', 'other'], foreignKeys: [foreignKey('person', 'people'), foreignKey('other', far)] },
  )

/** Mirrors several database states in sequence; each one sees the names remembered before. */
function follow(): (tables: readonly DatabaseTable[], overlay?: Partial<Overlay>) => Schema {
  let names: readonly StoredName[] = []
  return (tables, overlay = {}) => {
    const schema = mirrorOf(tables, { ...overlay, names: overlay.names ?? names })
    names = afterStoring(schema.names).remembered
    return schema
  }
}

const fieldsOf = (schema: Schema, name = 'people') =>
  Object.fromEntries(
    [...collectionOf(schema, name).inferred].map(([field, { relation }]) => [
      field,
      relation.kind === 'through'
        ? `${relation.junction}.${relation.farColumns.join('_')}`
        : relation.toColumns.join('_'),
    ]),
  )

describe('a name once given stays with its relation', () => {
  test('when another junction appears, also one that sorts earlier', () => {
    const now = follow()
    now([people, books, junction('lending')])
    const fields = fieldsOf(now([people, books, junction('bought'), junction('lending')]))
    expect(fields).toMatchObject({ books: 'lending.other', books_via_bought: 'bought.other' })
    expect(fields).not.toHaveProperty('books_via_lending')
  })

  test('when a second foreign key appears', () => {
    const now = follow()
    now([people, letters('writer')])
    expect(fieldsOf(now([people, letters('reader', 'writer')]))).toEqual({
      letters: 'writer',
      letters_by_reader: 'reader',
    })
  })

  test('when a composite foreign key of an earlier constraint appears', () => {
    const lines = table('lines', { a: 'int4', b: 'int4' }, { primaryKey: ['a', 'b'] })
    const notes = (...keys: readonly (readonly string[])[]) =>
      table(
        'notes',
        { id: 'int4', a: 'int4', b: 'int4', c: 'int4' },
        { foreignKeys: keys.map((key) => foreignKey(key, 'lines', ['a', 'b'])) },
      )
    const now = follow()
    now([lines, notes(['a', 'b'])])
    const schema = now([lines, notes(['a', 'c'], ['a', 'b'])])
    expect([...collectionOf(schema, 'notes').inferred].map(([name, { relation }]) => [name, relation.columns])).toEqual(
      [
        ['lines_by_a_c', ['a', 'c']],
        ['lines', ['a', 'b']],
      ],
    )
  })

  test('when a table of another schema flattens to its name', () => {
    const note = (name: string, schema: string) =>
      table(name, { id: 'int4', person: 'int4' }, { schema, foreignKeys: [foreignKey('person', 'people')] })
    const now = follow()
    now([people, note('aaa_note', 'public')])
    const schema = now([note('note', 'aaa'), people, note('aaa_note', 'public')])
    const targets = [...collectionOf(schema, 'people').inferred].map(([name, { relation }]) => [name, relation.to])
    expect(targets).toEqual([
      ['aaa_note_by_person', 'aaa.note'],
      ['aaa_note', 'aaa_note'],
    ])
  })

  test('while it is absent: dropped and made again it has its name, and nobody else gets it meanwhile', () => {
    const now = follow()
    now([people, books, junction('lending')])
    expect(fieldsOf(now([people, books, junction('bought')]))).toMatchObject({ books_via_bought: 'bought.other' })
    expect(fieldsOf(now([people, books, junction('bought'), junction('lending')]))).toMatchObject({
      books: 'lending.other',
      books_via_bought: 'bought.other',
    })
  })

  test('whatever its constraint is called, and in whatever order it lists its columns', () => {
    const lines = table('lines', { a: 'int4', b: 'int4' }, { primaryKey: ['a', 'b'] })
    const notes = (columns: readonly string[], name: string) =>
      table(
        'notes',
        { id: 'int4', a: 'int4', b: 'int4', lines: 'text' },
        { foreignKeys: [{ ...foreignKey(columns, 'lines', columns), name }] },
      )
    const now = follow()
    now([lines, notes(['a', 'b'], 'one')])
    const schema = now([lines, notes(['b', 'a'], 'another')])
    expect([...collectionOf(schema, 'notes').inferred.keys()]).toEqual(['lines_by_a_b'])
    expect(schema.names.fresh).toEqual([])
  })

  test('while metadata declares it, and afterwards', () => {
    const now = follow()
    now([people, letters('writer')])
    const declared = {
      fields: [fieldMeta('people', 'written', { special: 'o2m' })],
      relations: [relationMeta(['letters', 'writer'], 'people', { one_field: 'written' })],
    }
    expect(fieldsOf(now([people, letters('reader', 'writer')], declared))).toEqual({ letters_by_reader: 'reader' })
    expect(fieldsOf(now([people, letters('reader', 'writer')]))).toEqual({
      letters: 'writer',
      letters_by_reader: 'reader',
    })
  })

  test('against a newcomer that GraphQL could not tell from it', () => {
    const child = (name: string) =>
      table(name, { id: 'int4', person: 'int4' }, { foreignKeys: [foreignKey('person', 'people')] })
    const now = follow()
    now([people, child('a_b')])
    const schema = now([people, child('a-b'), child('a_b'), child('a_b_keys')])
    expect(Object.keys(fieldsOf(schema))).toEqual(['a-b', 'a_b', 'a_b_keys_by_person'])
    expect(collectionOf(schema, 'people').inferredNames).toEqual(['a_b', 'a-b', 'a_b_keys_by_person'])
    const names = fieldNames(collectionOf(schema, 'people'))
    expect([names.name('a_b', 'field'), names.name('a_b', 'keys'), names.name('a-b', 'field')]).toEqual([
      'a_b',
      'a_b_keys',
      'a_b2',
    ])
    const without = fieldNames(collectionOf(now([people, child('a-b')]), 'people'))
    expect(without.name('a-b', 'field')).toBe('a_b2')
  })
})

describe('at first sight', () => {
  test('all of several candidates get qualified names, of whatever kind they are', () => {
    const later = table('books', { id: 'int4', owner: 'int4' }, { foreignKeys: [foreignKey('owner', 'people')] })
    expect(Object.keys(fieldsOf(mirrorOf([people, later, junction('lending')])))).toEqual([
      'books_by_owner',
      'lending',
      'books_via_lending',
    ])
  })

  test('a table of the default schema wins over one whose name flattens to its own', () => {
    const note = (name: string, schema: string) =>
      table(name, { id: 'int4', person: 'int4' }, { schema, foreignKeys: [foreignKey('person', 'people')] })
    const targets = (schema: Schema) =>
      Object.fromEntries(
        [...collectionOf(schema, 'people').inferred].map(([name, { relation }]) => [name, relation.to]),
      )
    expect(targets(mirrorOf([note('note', 'aaa'), people, note('aaa_note', 'public')]))).toEqual({
      aaa_note_by_person: 'aaa.note',
      aaa_note: 'aaa_note',
    })
    expect(targets(mirrorOf([note('b_c', 'a'), note('c', 'a_b'), people]))).toEqual({
      a_b_c_by_person: 'a.b_c',
      a_b_c_by_person_2: 'a_b.c',
    })
  })

  test('two constraints over the same columns are one relation, and two targets are two', () => {
    const twice = table(
      'letters',
      { id: 'int4', writer: 'int4' },
      { foreignKeys: [foreignKey('writer', 'people'), { ...foreignKey('writer', 'people'), name: 'again' }] },
    )
    expect(fieldsOf(mirrorOf([people, twice]))).toEqual({ letters: 'writer' })
    const keyed = table('people', { id: 'int4', code: 'int4' }, { uniques: [['id'], ['code']] })
    const two = table(
      'letters',
      { id: 'int4', writer: 'int4' },
      { foreignKeys: [foreignKey('writer', 'people'), foreignKey('writer', 'people', ['code'])] },
    )
    expect(Object.keys(fieldsOf(mirrorOf([keyed, two])))).toEqual(['letters_by_writer_2', 'letters_by_writer'])
  })

  test('a junction with several foreign keys over one column has a field for each', () => {
    const pages = table('pages', { id: 'int4' })
    const both = table(
      'marks',
      { person: 'int4', other: 'int4' },
      {
        primaryKey: ['person', 'other'],
        foreignKeys: [foreignKey('other', 'books'), foreignKey('other', 'pages'), foreignKey('person', 'people')],
      },
    )
    expect(Object.keys(fieldsOf(mirrorOf([people, books, pages, both])))).toEqual(['marks', 'books', 'pages'])
  })
})

describe('a column or a declared field always wins', () => {
  const withColumn = table('people', { id: 'int4', letters: 'text' })

  test('the relation then has its qualified name, and its first one again when the column is gone', () => {
    const now = follow()
    now([people, letters('writer')])
    expect(fieldsOf(now([withColumn, letters('writer')]))).toEqual({ letters_by_writer: 'writer' })
    expect(fieldsOf(now([withColumn, letters('writer')]))).toEqual({ letters_by_writer: 'writer' })
    expect(fieldsOf(now([people, letters('writer')]))).toEqual({ letters: 'writer' })
  })

  test('the qualified name is kept for it as well', () => {
    const now = follow()
    now([people, letters('writer')])
    now([withColumn, letters('writer')])
    now([people, letters('writer')])
    const rival = table(
      'letters_by_writer',
      { id: 'int4', person: 'int4' },
      { foreignKeys: [foreignKey('person', 'people')] },
    )
    now([people, letters('writer'), rival])
    expect(fieldsOf(now([withColumn, letters('writer'), rival]))).toEqual({
      letters_by_writer: 'writer',
      letters_by_writer_by_person: 'person',
    })
  })

  test('when even that is taken it gets a number', () => {
    const full = table('people', { id: 'int4', letters: 'text', letters_by_writer: 'text' })
    expect(fieldsOf(mirrorOf([full, letters('writer')]))).toEqual({ letters_by_writer_2: 'writer' })
  })

  test('a name that metadata gives twice, or gives a column, leaves no relation without a name', () => {
    const relations = [
      relationMeta(['letters', 'reader'], 'people', { one_field: 'post' }),
      relationMeta(['letters', 'writer'], 'people', { one_field: 'post' }),
    ]
    expect(Object.values(fieldsOf(mirrorOf([people, letters('reader', 'writer')], { relations })))).toEqual([
      'reader',
      'writer',
    ])
    const full = table('people', { id: 'int4', post: 'text' })
    expect(Object.keys(fieldsOf(mirrorOf([full, letters('reader', 'writer')], { relations })))).toEqual([
      'letters_by_reader',
      'letters_by_writer',
    ])
  })
})
