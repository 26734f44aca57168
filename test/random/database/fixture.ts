import { daysOf, MICROS_PER_DAY } from './clock.ts'
import type { Cell, Column, ColumnType, EnumType, ForeignKey, Model, Row, Table } from './model.ts'
import { buildModel } from './rows.ts'

const STATUS: EnumType = { name: 'status', values: ['draft', 'live', 'Archived'] }

function columns(types: Readonly<Record<string, ColumnType>>): Column[] {
  return Object.entries(types).map(([name, type]) => ({
    name,
    type,
    nullable: true,
    identity: false,
    enumType: type === 'enum' ? STATUS : null,
  }))
}

interface Sketch {
  readonly types: Readonly<Record<string, ColumnType>>
  readonly key?: readonly string[]
  readonly foreignKeys?: readonly ForeignKey[]
  readonly rows: readonly (readonly Cell[])[]
}

function refer(columns: readonly string[], target: string, targetColumns: readonly string[] = ['id']): ForeignKey {
  return { columns, target, targetColumns }
}

export function sketchModel(sketches: Readonly<Record<string, Sketch>>): Model {
  const tables = Object.entries(sketches).map(([name, { types, key = ['id'], foreignKeys = [] }]): Table => {
    return { schema: 'public', name, collection: name, columns: columns(types), key, uniques: [], foreignKeys }
  })
  const rows = Object.entries(sketches).map(([name, { types, rows }]): [string, Row[]] => {
    const names = Object.keys(types)
    return [name, rows.map((cells) => new Map(names.map((column, index) => [column, cells[index] ?? null])))]
  })
  return buildModel({ dialect: 'postgres', enums: [STATUS] }, tables, new Map(rows))
}

export const NOON = daysOf(2024, 1, 1) * MICROS_PER_DAY + MICROS_PER_DAY / 2

/** Small enough to verify every response by hand. */
export const library: Model = sketchModel({
  authors: {
    types: { id: 'integer', name: 'text', country: 'varchar', born: 'date' },
    rows: [
      [1, 'Ann', 'GB', daysOf(1990, 12, 31)],
      [2, 'Bob', null, daysOf(2021, 1, 3)],
      [3, 'ann%', 'KE', null],
    ],
  },
  articles: {
    types: {
      id: 'integer',
      title: 'text',
      author: 'integer',
      editor: 'integer',
      views: 'bigint',
      price: 'numeric',
      at: 'timestamptz',
      status: 'enum',
      tags: 'json',
    },
    foreignKeys: [refer(['author'], 'authors'), refer(['editor'], 'authors')],
    rows: [
      [10, 'One', 1, 2, 5n, 15000n, NOON + 123456, 'live', { json: ['a', 'b'] }],
      [11, '', 1, null, null, 2500n, null, 'Archived', { json: { a: 1 } }],
      [12, null, null, 1, 5n, null, NOON - 1, 'draft', null],
      [13, 'Two_', 2, 2, 9007199254740993n, -25000n, NOON, null, { json: [] }],
    ],
  },
  comments: {
    types: { id: 'integer', article: 'integer', parent: 'integer', likes: 'integer', note: 'text' },
    foreignKeys: [refer(['article'], 'articles'), refer(['parent'], 'comments')],
    rows: [
      [1, 10, null, 3, 'good'],
      [2, 10, 1, null, 'bad'],
      [3, 13, 1, 7, null],
      [4, null, 3, 1, 'Good'],
    ],
  },
  courses: {
    types: { id: 'integer', title: 'text' },
    rows: [
      [1, 'Logic'],
      [2, 'Art'],
      [3, null],
    ],
  },
  students: {
    types: { id: 'text', name: 'text' },
    rows: [
      ['m', 'Mina'],
      ['t', 'Tariq'],
      ['z', null],
    ],
  },
  enrollments: {
    types: { student: 'text', course: 'integer', grade: 'integer' },
    key: ['student', 'course'],
    foreignKeys: [refer(['student'], 'students'), refer(['course'], 'courses')],
    rows: [
      ['m', 1, 4],
      ['m', 2, null],
      ['t', 1, 5],
    ],
  },
  lines: {
    types: { code: 'text', no: 'integer', product: 'text' },
    key: ['code', 'no'],
    rows: [
      ['a,b', 1, 'Pen'],
      ['100%/x', 2, 'Ink'],
    ],
  },
  notes: {
    types: { id: 'integer', line_code: 'text', line_no: 'integer', note: 'text' },
    foreignKeys: [refer(['line_code', 'line_no'], 'lines', ['code', 'no'])],
    rows: [
      [1, 'a,b', 1, 'soft'],
      [2, 'a,b', null, 'half'],
      [3, null, null, 'none'],
      [4, '100%/x', 2, 'wet'],
    ],
  },
})
