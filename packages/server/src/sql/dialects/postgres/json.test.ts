import { expect, test } from 'vitest'
import { sql } from '../../sql.ts'
import { postgres } from './index.ts'

const member = (name: string, isCatalogueName: boolean) => ({ name, isCatalogueName, value: sql.ref('t.x') })
const compiled = (isCatalogueName: boolean, name = 'o') =>
  postgres.compile(
    postgres.jsonRows([member(name, isCatalogueName)], { clause: sql`from t`, order: [], limit: null, offset: null }),
  )

test('a column may be called like the row it is in', () => {
  expect(compiled(true).text).toContain('json_agg(o.*)')
  expect(postgres.compile(postgres.jsonRow([member('o', true)], sql`from t`)).text).toContain('to_json(o.*)')
})

test('a name that a caller chose is a bind, never part of the text', () => {
  const { text, binds } = compiled(false, 'x"; drop table t; --')
  expect(text).not.toContain('drop')
  expect(binds).toEqual([`${JSON.stringify('x"; drop table t; --')}:`])
})

test('a name too long for an identifier is a bind too', () => {
  const name = 'n'.repeat(64)
  expect(compiled(true, name).text).not.toContain(name)
})
