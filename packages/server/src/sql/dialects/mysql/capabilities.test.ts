import { describe, expect, test } from 'vitest'
import { statementOf } from '../../database.ts'
import type { TypedColumn } from '../../dialect.ts'
import { sql, stepsOf, type Steps } from '../../sql.ts'
import { createServer, serverOf, type Server } from './capabilities.ts'
import { planSteps } from './ddl-steps.ts'
import { createDialect } from './index.ts'
import { quotedDefault } from './printed-default.ts'
import { sessionSql } from './session.ts'

const MARIADB = '10.11.6-MariaDB-1:10.11.6+maria~deb12'
const MYSQL = '8.0.36'

test.each([
  ['10.6.16-MariaDB', { hasReturning: true, limitsLists: true, hasUuidType: false }],
  ['10.7.1-MariaDB-log', { hasReturning: true, limitsLists: true, hasUuidType: true }],
  ['5.5.5-10.11.6-MariaDB', { hasReturning: true, hasUuidType: true, seesOuterRow: false }],
  ['11.4.2-MariaDB', { hasReturning: true, hasUuidType: true }],
  ['8.0.19', { hasReturning: false, limitsLists: false, seesOuterRow: true, hasJsonType: true, hasUuidType: false }],
  ['8.4.0-commercial', { hasReturning: false, seesOuterRow: true }],
  ['9.1.0', { hasReturning: false, seesOuterRow: true }],
])('what %s can do is told by its version', (version, expected) => {
  expect(serverOf(version).can).toMatchObject(expected)
})

test.each(['10.5.9-MariaDB', '8.0.18', '5.7.44-log', ''])('"%s" is refused', (version) => {
  expect(() => serverOf(version)).toThrow('this needs MariaDB 10.6 or MySQL 8.0.19, or later')
})

test('a server may be followed by a newer one, but by none of the other family', () => {
  const server = createServer()
  server.meet('10.6.16-MariaDB')
  server.meet(MARIADB)
  expect(server.can.hasUuidType).toBe(true)
  expect(() => server.meet(MYSQL)).toThrow('was MariaDB before')
})

const column = (name: string, hasAutoIncrement = false): TypedColumn => ({
  name,
  type: 'integer',
  isConcealed: false,
  column: {
    name,
    dataType: 'int',
    castType: 'int',
    baseType: 'int',
    enumValues: null,
    elementType: null,
    isComparable: true,
    isNullable: false,
    defaultExpression: null,
    maxLength: null,
    numericPrecision: 32,
    numericScale: 0,
    generationExpression: null,
    identity: hasAutoIncrement ? 'by default' : null,
    hasAutoIncrement,
    comment: null,
  },
})

const textOf = (steps: Steps, server: Server) =>
  stepsOf(steps).map((step) => createDialect(server).compile(step).text.replaceAll(/\s+/gu, ' '))

describe('an insert', () => {
  const table = sql`t_`
  const returned = { columns: ['id'], row: null }
  const insert = (version: string, columns: readonly string[], key: readonly TypedColumn[]) => {
    const server = serverOf(version)
    const set = { columns: columns.map((name) => column(name)), parameter: 0 }
    return textOf(createDialect(server).bulk.insert(table, set, returned, key), server)
  }
  const rows = "json_table(?, '$[*]' columns (n for ordinality, `f0` bigint path '$.f0')) as `x`"

  test('gives back its rows itself', () => {
    expect(insert(MARIADB, ['id'], [column('id')])).toEqual([
      `insert into t_ (\`id\`) select \`x\`.\`f0\` from ${rows} order by x.n returning \`id\``,
    ])
  })

  test('is followed by a look for the keys that were sent, where it cannot', () => {
    expect(insert(MYSQL, ['id'], [column('id')])).toEqual([
      `insert into t_ (\`id\`) select \`x\`.\`f0\` from ${rows} order by x.n`,
      `select \`t\`.\`id\` from ${rows} straight_join t_ as \`t\` on \`t\`.\`id\` = \`x\`.\`f0\` order by x.n`,
    ])
  })

  test('goes row by row there where the server draws the key', () => {
    const key = [column('id', true)]
    expect(insert(MYSQL, ['size'], key)).toEqual([
      `insert into t_ (\`size\`) select \`x\`.\`f0\` from ${rows} order by x.n`,
      'select `t`.`id` from t_ as `t` where `t`.`id` = last_insert_id()',
    ])
    const set = { columns: [column('size')], parameter: 0 }
    expect(createDialect(serverOf(MYSQL)).bulk.insertsEach(set, key)).toBe(true)
    expect(createDialect(serverOf(MARIADB)).bulk.insertsEach(set, key)).toBe(false)
  })

  test('is refused there where a default makes the key, and nothing would tell which', () => {
    expect(() => insert(MYSQL, ['size'], [column('id')])).toThrow('"id" has to be sent')
  })
})

test('a session is set up by the words of its server', () => {
  const options = {
    url: 'mysql://u@h/d',
    poolMax: 1,
    acquireTimeout: 1,
    statementTimeout: 5000,
    lockTimeout: 1000,
    connectTimeout: 1,
    preparedStatements: 0,
    applicationName: 'tain',
  }
  expect(sessionSql(options, serverOf(MARIADB).can)).toContain(
    "session max_statement_time = 5, session idle_transaction_timeout = 120, session tx_isolation = 'READ-COMMITTED'",
  )
  const ofMysql = sessionSql(options, serverOf(MYSQL).can)
  expect(ofMysql).toContain("session max_execution_time = 5000, session transaction_isolation = 'READ-COMMITTED'")
  expect(ofMysql).not.toContain('idle_transaction')
})

test('a stream takes as long as it does', () => {
  expect(serverOf(MARIADB).can.withoutTimeout('select 1')).toBe('set statement max_statement_time = 0 for select 1')
  expect(serverOf(MYSQL).can.withoutTimeout('select 1')).toBe('select /*+ max_execution_time(0) */ 1')
})

test.each([
  ["it's", false, "'it\\'s'"],
  ['5', true, '5'],
  ['uuid()', true, 'uuid()'],
  [null, false, null],
])('a default that is printed as %s', (printed, isBare, expected) => {
  expect(quotedDefault(printed, isBare)).toBe(expected)
})

describe('a change of the structure', () => {
  const uuidColumn = {
    kind: 'add-column',
    table: { schema: 's', table: 't' },
    column: {
      name: 'u',
      form: { type: 'uuid', maxLength: null, precision: null, scale: null },
      isNullable: true,
      default: null,
      isCounter: false,
      comment: null,
    },
  } as const
  const plan = (version: string) =>
    planSteps([uuidColumn], () => 'CREATE TABLE `t` (\n  `id` int(11) NOT NULL\n)', serverOf(version).can)

  test('makes uuids of the type for them, or of texts that nobody else makes', () => {
    expect(plan(MARIADB).preparations[0]?.statement.text).toContain('add column `u` uuid')
    expect(plan('10.6.16-MariaDB').preparations[0]?.statement.text).toContain(
      'add column `u` char(36) character set ascii collate ascii_bin',
    )
  })

  test('is refused where it could not be taken back', () => {
    expect(() => plan(MYSQL)).toThrow('cannot be changed from here')
  })
})

test('the own tables have the collation of the server that compares bytes', () => {
  const collationOn = (version: string) => createDialect(serverOf(version)).storedAs('uuid').castType
  expect(collationOn(MARIADB)).toBe('char(36) collate utf8mb4_nopad_bin')
  expect(collationOn(MYSQL)).toBe('char(36) collate utf8mb4_0900_bin')
})

test('what a statement is made of is known when it is made', () => {
  const server = createServer()
  const dialect = createDialect(server)
  expect(dialect.seesOuterRow).toBe(false)
  server.meet(MYSQL)
  expect(dialect.seesOuterRow).toBe(true)
  expect(statementOf(dialect.jsonSortKey(sql`d`), dialect).text).toBe("nullif(cast(d as char), 'null')")
})
