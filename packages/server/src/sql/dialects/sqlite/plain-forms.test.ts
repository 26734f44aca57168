import BetterSqlite from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import type { FieldType } from '@tain/contract'
import { sql } from '../../sql.ts'
import { sqlite } from './index.ts'
import { plainForm } from './plain-forms.ts'
import { storedAs } from './types.ts'
import { formOf } from './values.ts'
import { registerFunctions } from './registered.ts'

const database = new BetterSqlite(':memory:')
registerFunctions(database)
afterAll(() => database.close())

const typed = (type: FieldType & ('integer' | 'boolean'), holdsNumbers: boolean) => ({
  name: 'a',
  type,
  column: {
    name: 'a',
    enumValues: null,
    elementType: null,
    isNullable: true,
    defaultExpression: null,
    maxLength: null,
    generationExpression: null,
    identity: null,
    hasAutoIncrement: false,
    comment: null,
    ...storedAs(type),
    holdsNumbers,
  },
  isConcealed: false,
})

test.each([
  ['integer', '9007199254740991', '9007199254740991'],
  ['integer', '9007199254740992', '"9007199254740992"'],
  ['integer', '-9223372036854775807 - 1', '"-9223372036854775808"'],
  ['boolean', '0', 'false'],
  ['boolean', '1', 'true'],
  ['boolean', '-3', '-3'],
] as const)('triggers of other programs write %s %s as responses show it', (type, value, json) => {
  const column = typed(type, true)
  for (const form of [plainForm(column), formOf(column)]) {
    const { text } = sqlite.compile(sql`select cast(${form.json(sql.ref('a'))} as text) as shown from t`)
    const run = text.replaceAll(/\?(\d*)/gu, (_, at: string) => (at === '' ? '?' : `?${at}`))
    const { shown } = database.prepare(`with t (a) as (select ${value}) ${run}`).get() as { shown: string }
    expect(shown).toBe(json)
  }
})
