import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { collections } from '@tain/contract/collections'
import { describe, expect, test } from 'vitest'
import type { Dialect } from '../dialect.ts'
import { serverOf } from '../dialects/mysql/capabilities.ts'
import { createDialect } from '../dialects/mysql/index.ts'
import { createServiceTables as createMysqlTables } from '../dialects/mysql/service-tables.ts'
import { serverThat } from '../dialects/postgres/capabilities.ts'
import { postgres } from '../dialects/postgres/index.ts'
import { createServiceTables as createPostgresTables } from '../dialects/postgres/service-tables.ts'
import { sqlite } from '../dialects/sqlite/index.ts'
import { serviceTables as sqliteTables } from '../dialects/sqlite/service-tables.ts'
import type { TableWriter } from './create-table.ts'
import { migrationSteps, serviceHistory, type Migration, type ServiceHistory } from './migrations.ts'
import type { ServiceColumn, ServiceTable } from './table.ts'
import { tables } from './tables.ts'

const isUpdate = process.env['UPDATE_GOLDEN'] === '1'

const mariadb = serverOf('10.11.6-MariaDB')
const dialects: readonly (readonly [name: string, writer: TableWriter, dialect: Dialect])[] = [
  ['postgres', createPostgresTables(serverThat()).writer, postgres],
  ['mysql', createMysqlTables(mariadb).writer, createDialect(mariadb)],
  ['sqlite', sqliteTables.writer, sqlite],
]

function textsOf(history: ServiceHistory, writer: TableWriter, { compile }: Dialect): Record<string, string[]> {
  const steps = migrationSteps('tain', writer, history)
  return Object.fromEntries(steps.map(([name, made]) => [name, made.map(({ run }) => compile(run).text)]))
}

const part = /, (?=["`]\w+["`] |(?:primary|unique|foreign|key)\b)/gu

/** One line for each column, key and reference. */
const layOut = (texts: readonly string[]): string =>
  texts.map((text) => `${text.replace(/ \((?=["`]\w+["`] \w)/u, ' (\n  ').replaceAll(part, ',\n  ')};\n`).join('')

describe.each(dialects)('migrations on %s', (name, writer, dialect) => {
  test.each(Object.keys(serviceHistory.migrations))('%s stays: what is new belongs to a new migration', (migration) => {
    const file = join(import.meta.dirname, 'golden', `${migration}.${name}.sql`)
    const text = layOut(textsOf(serviceHistory, writer, dialect)[migration] ?? [])
    const isNewest = migration === Object.keys(serviceHistory.migrations).at(-1)
    if (isUpdate && isNewest) writeFileSync(file, text)
    expect(text).toBe(readFileSync(file, 'utf8'))
  })

  const table = (columns: Record<string, ServiceColumn>, indexes: readonly string[][] = []): ServiceTable => ({
    note: 'x',
    key: 'id',
    columns: { id: { type: 'uuid' }, ...columns },
    indexes,
  })
  const history = (tables: ServiceHistory['tables'], ...later: Migration[]): ServiceHistory => ({
    tables,
    migrations: Object.fromEntries([{}, ...later].map((each, at) => [`000${at + 1}`, each])),
  })
  const shown = (given: ServiceHistory) =>
    Object.values(textsOf(given, writer, dialect)).map((texts) => texts.join('; ').replaceAll(/["`]/gu, ''))

  test('the first one makes what no other one adds, and each the state of its time', () => {
    const [first = '', second = '', third = ''] = shown(
      history(
        {
          service_a: table({ b: { type: 'integer' }, c: { type: 'integer', isNullable: true } }, [['b', 'c']]),
          service_d: table({ e: { type: 'integer' }, f: { type: 'integer', default: 4 } }),
        },
        { tables: ['service_d'], columns: { service_a: ['c'] }, indexes: { service_a: [['b', 'c']] } },
        { columns: { service_d: ['f'] } },
      ),
    )
    expect(first).toMatch(/create table .*service_a \(id \S+ not null, b \S+ not null, primary key \(id\)\)/u)
    expect(first).not.toContain('service_d')
    expect(first).not.toContain('index')
    expect(second).toMatch(/service_d \(id \S+ not null, e \S+ not null, primary key \(id\)\)/u)
    expect(second).toMatch(/alter table \S*service_a add column c int\w*; create index .*\(b, c\)$/u)
    expect(third).toMatch(/^alter table \S*service_d add column f int\w* not null default \(?4\)?$/u)
  })

  test('an index of one column is made unless another one begins with it', () => {
    const isIndexed = true
    const [text = ''] = shown(
      history({
        service_a: table({ b: { type: 'integer', isIndexed }, c: { type: 'integer', isIndexed } }, [['b', 'c']]),
      }),
    )
    expect(text).toMatch(/\(c\)/u)
    expect(text).toMatch(/\(b, c\)/u)
    expect(text).not.toMatch(/\(b\)/u)
  })

  test.each<[string, ServiceColumn]>([
    ['without a default', { type: 'integer' }],
    ['that is unique', { type: 'text', isNullable: true, isUnique: true }],
    ['that is computed', { type: 'text', isNullable: true, computed: { lower: 'id' } }],
    ['with a reference', { type: 'uuid', isNullable: true, to: { collection: 'service_a' } }],
    ['with the time as default', { type: 'timestamp', default: { now: true } }],
  ])('a column %s cannot be added to a table in use', (_, column) => {
    const given = history({ service_a: table({ b: column }) }, { columns: { service_a: ['b'] } })
    expect(() => shown(given)).toThrow('service_a.b cannot be added to a table with rows on every database')
  })

  test('a migration of something that is nowhere declared is a mistake', () => {
    expect(() => shown(history({}, { tables: ['service_a'] }))).toThrow('the service has no table service_a')
    expect(() => shown(history({ service_a: table({}) }, { indexes: { service_a: [['x']] } }))).toThrow('no index of x')
    expect(() => shown(history({ service_a: table({}) }, { columns: { service_a: ['x'] } }))).toThrow('service_a.x')
  })
})

test('migrations have names that sort in their order', () => {
  const names = Object.keys(serviceHistory.migrations)
  expect(names).toEqual(names.toSorted())
  for (const [at, name] of names.entries())
    expect(name).toMatch(new RegExp(`^${String(at + 1).padStart(4, '0')}-[a-z-]+$`, 'u'))
})

test('every collection of the contract has a table with its columns', () => {
  for (const { name, key, columns } of Object.values(collections)) {
    expect(Object.keys(tables[name].columns)).toEqual(expect.arrayContaining(Object.keys(columns)))
    expect(tables[name].key).toBe(key)
  }
})

test('a table comes after the tables that it refers to', () => {
  const names = Object.keys(tables)
  const early = Object.entries<ServiceTable>(tables).flatMap(([name, { columns }], at) =>
    Object.values(columns).flatMap(({ to }) =>
      to === undefined || to.isLoose === true || names.indexOf(to.collection) <= at ? [] : [[name, to.collection]],
    ),
  )
  expect(early).toEqual([])
})
