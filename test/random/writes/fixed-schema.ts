import type { Dialect } from '../database/model.ts'
import { column } from './random-schema.ts'
import { createSchema, type Declared, type ForeignKey, type Schema, type Table } from './schema.ts'

const id = column('id', 'integer', { nullable: false, fill: 'counter' })

const table = (name: string, columns: Table['columns'], rest: Partial<Table> = {}): Table => ({
  name,
  columns,
  key: ['id'],
  uniques: [],
  foreignKeys: [],
  any: null,
  ...rest,
})

const foreignKey = (
  name: string,
  target: string,
  onDelete: ForeignKey['onDelete'],
  declared: Declared | null,
): ForeignKey => ({ columns: [name], target, targetColumns: ['id'], onDelete, declared })

const declared = (
  field: string,
  special: Declared['special'],
  deselect: Declared['deselect'],
  rest: Partial<Declared> = {},
): Declared => ({ field, special, deselect, sortField: null, junctionField: null, ...rest })

/** Every kind of relation that only metadata can describe, with both deselect actions. */
export function fixedSchema(dialect: Dialect = 'postgres'): Schema {
  return createSchema(dialect, [
    table('authors', [id, column('label', 'text')]),
    table('articles', [id, column('label', 'text'), column('slug', 'text'), column('author', 'integer')], {
      uniques: [['slug']],
      foreignKeys: [foreignKey('author', 'authors', 'set null', declared('articles', 'o2m', 'nullify'))],
    }),
    table(
      'comments',
      [
        id,
        column('label', 'text'),
        column('likes', 'integer', { min: 0 }),
        column('article', 'integer'),
        column('pos', 'integer'),
      ],
      {
        foreignKeys: [
          foreignKey('article', 'articles', 'cascade', declared('comments', 'o2m', 'delete', { sortField: 'pos' })),
        ],
      },
    ),
    table('tags', [id, column('label', 'text'), column('name', 'varchar', { nullable: false })], {
      uniques: [['name']],
    }),
    table(
      'articles_tags',
      [id, column('articles_id', 'integer'), column('tags_id', 'integer'), column('sort', 'integer')],
      {
        foreignKeys: [
          foreignKey(
            'articles_id',
            'articles',
            'cascade',
            declared('tags', 'm2m', 'delete', { sortField: 'sort', junctionField: 'tags_id' }),
          ),
          foreignKey(
            'tags_id',
            'tags',
            'set null',
            declared('articles', 'm2m', 'nullify', { junctionField: 'articles_id' }),
          ),
        ],
      },
    ),
    table('pages', [id, column('label', 'text')]),
    table('heroes', [id, column('label', 'text'), column('size', 'integer', { min: 0 })]),
    table('texts', [
      column('id', 'uuid', { nullable: false, fill: 'uuid' }),
      column('label', 'text', { nullable: false }),
    ]),
    table(
      'pages_blocks',
      [
        id,
        column('pages_id', 'integer'),
        column('collection', 'text'),
        column('item', 'text'),
        column('sort', 'integer'),
      ],
      {
        foreignKeys: [
          foreignKey(
            'pages_id',
            'pages',
            'set null',
            declared('blocks', 'm2a', 'delete', { sortField: 'sort', junctionField: 'item' }),
          ),
        ],
        any: {
          column: 'item',
          collectionColumn: 'collection',
          allowed: ['heroes', 'texts'],
          junctionField: 'pages_id',
        },
      },
    ),
  ])
}
