import { describe, expect, test } from 'vitest'
import type { ColumnDefinition, ColumnForm, SchemaChange } from '../../ddl.ts'
import { serverThat } from './capabilities.ts'
import { createDdl } from './ddl.ts'

const ddl = createDdl(serverThat())

const table = { schema: 'public', table: 'goods' }
const text: ColumnForm = { type: 'string', maxLength: 20, precision: null, scale: null }
const column: ColumnDefinition = { name: 'name', form: text, isNullable: true, default: null, isCounter: false }

const textsOf = (changes: readonly SchemaChange[], isLarge = false) => {
  const { preparations, statements } = ddl.plan(
    changes,
    () => isLarge,
    () => null,
  )
  return [preparations, statements].map((steps) => steps.map(({ statement }) => statement.text))
}

describe('a definition', () => {
  test('quotes names and values, and binds nothing', () => {
    const change: SchemaChange = {
      kind: 'add-column',
      table: { schema: 'a"b', table: 'c.d' },
      column: { ...column, name: 'x" y', default: { kind: 'value', text: `it's \\ "` } },
    }
    const { statements } = ddl.plan(
      [change],
      () => false,
      () => null,
    )
    expect(statements.map(({ statement }) => statement)).toEqual([
      {
        text: `alter table "a""b"."c.d" add column "x"" y" character varying(20) default 'it''s \\ "'::character varying`,
        values: [],
      },
    ])
  })

  test('refuses a length that is none', () => {
    const form = { ...text, maxLength: Number('1); drop table x; --') }
    expect(() => textsOf([{ kind: 'add-column', table, column: { ...column, form } }])).toThrow(RangeError)
  })
})

describe('on a large table', () => {
  test('a new column is made ahead only when something is prepared on it', () => {
    const added: SchemaChange = { kind: 'add-column', table, column }
    const index: SchemaChange = { kind: 'add-index', table, column: 'name', name: 'goods_name_index' }
    const other: SchemaChange = { ...index, column: 'other' }
    const add = 'alter table "public"."goods" add column "name" character varying(20)'
    const concurrent = (name: string) => `create index concurrently "goods_name_index" on "public"."goods" ("${name}")`
    expect(textsOf([added], true)).toEqual([[], [add]])
    expect(textsOf([added, index], true)).toEqual([[add, concurrent('name')], []])
    expect(textsOf([added, other], true)).toEqual([[concurrent('other')], [add]])
  })

  test('what is prepared can be taken back, and only that', () => {
    const changes: readonly SchemaChange[] = [
      { kind: 'add-unique', table, column: 'name', name: 'once' },
      { kind: 'set-not-null', table, column: 'name', name: 'rule' },
    ]
    const made = ddl
      .plan(
        changes,
        () => true,
        () => null,
      )
      .preparations.flatMap(({ makes }) => makes ?? [])
    expect(made.map((object) => ddl.takeBack(object).statement.text)).toEqual([
      'drop index concurrently if exists "public"."once"',
      'alter table if exists "public"."goods" drop constraint if exists "rule"',
    ])
  })
})
