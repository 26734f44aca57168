import { describe, expect, test } from 'vitest'
import { testDialects, type TestDialect } from '../lib/databases.ts'
import { codeOf, dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

/** SQLite has neither enum nor IP address types. */
const tables: Readonly<Record<TestDialect, string>> = {
  postgres: `
    create type mood as enum ('calm', 'happy');
    create table people (id integer primary key, mood mood, host inet, span interval, born date);
    insert into people values (1, 'calm', '10.0.0.1', '1 day', '2000-01-01'), (2, null, null, null, null)`,
  mysql: `
    create table people (
      id integer primary key, mood enum('calm', 'happy'), moods set('calm', 'happy'), host inet6, born date);
    insert into people values (1, 'calm', 'calm,happy', '::1', '2000-01-01'), (2, null, null, null, null)`,
  sqlite: `
    create table people (id integer primary key, born date);
    insert into people values (1, '2000-01-01'), (2, null)`,
}

const wrong: readonly (readonly [field: string, value: string, on: readonly TestDialect[]])[] = [
  ['mood', 'angry', ['postgres', 'mysql']],
  ['mood', 'CALM', ['postgres', 'mysql']],
  ['moods', 'calm,angry', ['mysql']],
  ['host', 'nowhere', ['postgres', 'mysql']],
  ['span', 'a while', ['postgres']],
  ['born', '2000-02-30', ['postgres', 'mysql', 'sqlite']],
]

const labels = [{ mood: { _eq: 'calm' } }, { mood: { _in: ['calm', 'happy'] } }, { mood: { _contains: 'alm' } }]
const right: Readonly<Record<TestDialect, readonly object[]>> = {
  postgres: [...labels, { host: { _eq: '10.0.0.1' } }, { span: { _eq: 'P1D' } }],
  mysql: [...labels, { host: { _eq: '::1' } }, { moods: { _eq: 'calm,happy' } }],
  sqlite: [{ born: { _eq: '2000-01-01' } }],
}

describe.each(testDialects)('values that do not fit on %s', (dialect) => {
  const { service } = useWorld({ dialect, tables: tables[dialect] })

  test.each(wrong.filter(([, , on]) => on.includes(dialect)))('%s = %s is refused by name', async (field, value) => {
    for (const operator of ['_eq', '_neq', '_in', '_nin']) {
      const operand = operator.endsWith('in') ? [value, value] : value
      const answer = await service.search('people', { filter: { [field]: { [operator]: operand } } })
      expect([operator, answer.status, codeOf(answer)]).toEqual([operator, 400, 'INVALID_QUERY'])
      expect(answer.text).toContain(`\\"${field}\\"`)
    }
  })

  test('values that fit are found', async () => {
    for (const filter of right[dialect])
      expect([filter, dataOf(await service.search('people', { filter, fields: ['id'] }))]).toEqual([
        filter,
        [{ id: 1 }],
      ])
  })
})
