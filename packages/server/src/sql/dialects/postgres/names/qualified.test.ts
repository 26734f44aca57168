import { describe, expect, test } from 'vitest'
import { caseNames, readSection } from '../../../../../../../test/golden/case-file.ts'
import { qualified } from './qualified.ts'
import { tokensOf } from './tokens.ts'
import { clauses, grammarTypes, reserved, syntax } from './words.ts'

const eq = 'operator(pg_catalog.=)'

test.each([
  ['select lower(a) from t', 'select pg_catalog.lower(a) from t'],
  ['select a = b + c * 2', `select a ${eq} (b operator(pg_catalog.+) (c operator(pg_catalog.*) 2))`],
  ['select a || b || c', 'select a operator(pg_catalog.||) b operator(pg_catalog.||) c'],
  ['select a like b and not c = d', `select a operator(pg_catalog.~~) b and not c ${eq} d`],
  ['select a = any($1::text[])', `select a ${eq} any($1::pg_catalog.text[])`],
  ['select a in (select b from c)', `select (a ${eq} any (select b from c))`],
  ["select a not in ('x', 'y')", `select (not (a ${eq} 'x' or a ${eq} 'y'))`],
  ['select a between 1 and 2 or b', 'select ((a operator(pg_catalog.>=) 1 and a operator(pg_catalog.<=) 2)) or b'],
  ['select a is distinct from b', `select ((a ${eq} b) is not true and not (a is null and b is null))`],
  ["select nullif(a, '')", `select case when a ${eq} '' then null else a end`],
  ['select case a when 1 then 2 else 3 end', `select case when a ${eq} 1 then 2 else 3 end`],
  ['select a operator(x.=) b', 'select a operator(x.=) b'],
  ['select x.f(a)::x.t, "x".g(b)', 'select x.f(a)::x.t, "x".g(b)'],
  ['select extract(year from a)::int', 'select extract(year from a)::int'],
  ['select \'a = b\', "c = d", $1', 'select \'a = b\', "c = d", $1'],
  [
    'update t set a = b + 1, c = d = e where f = 1',
    `update t set a = b operator(pg_catalog.+) 1, c = d ${eq} e where f ${eq} 1`,
  ],
  ['with x (a) as (select f(1)) select * from x', 'with x(a) as (select pg_catalog.f(1)) select * from x'],
  [
    'select * from rows from (json_to_recordset($1) as (a uuid, b "x".t[])) with ordinality as y(c, n)',
    'select * from rows from (pg_catalog.json_to_recordset($1) as (a pg_catalog.uuid, b "x".t[])) with ordinality as y(c, n)',
  ],
  [
    'select * from unnest(a, b) as t(c, d)',
    'select * from rows from (pg_catalog.unnest(a), pg_catalog.unnest(b)) as t(c, d)',
  ],
  ['insert into t (a, b) values (f(1), -2)', 'insert into t (a, b) values (pg_catalog.f(1), -2)'],
  [
    'select count(*) filter (where a > 1) over ()',
    'select pg_catalog.count(*) filter (where a operator(pg_catalog.>) 1) over ()',
  ],
  ['create table t (a int check (a = 1))', 'create table t (a int check (a = 1))'],
  ['select a = b /* a comment */ -- = it', `select a ${eq} b`],
  [
    'delete from t using (select f(a) as b from u) as x where t.a = x.b',
    `delete from t using (select pg_catalog.f(a) as b from u) as x where t.a ${eq} x.b`,
  ],
])('%s', (short, long) => {
  expect(qualified(short)).toBe(long)
})

test('written twice, a statement stays the same', () => {
  const once = qualified('select a = lower(b) || $1::text from t')
  expect(qualified(once)).toBe(once)
})

test('what names no operator is refused', () => {
  expect(() => qualified('select 1 from a join b using (c)')).toThrow('USING')
})

/** Names that the search path would decide, by reading tokens alone. */
function undecided(statement: string): string[] {
  const tokens = tokensOf(statement)
  return tokens.flatMap(({ kind, text }, index) => {
    const before = tokens[index - 1]?.text.toLowerCase() ?? ''
    const after = tokens[index + 1]?.text.toLowerCase() ?? ''
    const word = text.toLowerCase()
    if (kind === 'operator') {
      const isNamed = before === '.' && tokens[index - 3]?.text === '('
      return isNamed || (text === '*' && /^(?:\(|,|\.|select|all)$/u.test(before)) ? [] : [text]
    }
    if (before === '::' && after !== '.' && !grammarTypes.has(word)) return [`::${text}`]
    if (kind !== 'word') return []
    if (/^(?:like|ilike|in|between|nullif|using)$/u.test(word) || (word === 'case' && after !== 'when')) return [text]
    if (word === 'from' && before === 'distinct') return [text]
    const isPlain =
      syntax.has(word) || reserved.has(word) || clauses.has(word) || /^(?:not|operator|array)$/u.test(word)
    return after === '(' && before !== '.' && before !== 'as' && !isPlain ? [`${text}(`] : []
  })
}

describe('golden statements with the schema of every name', () => {
  test.each(caseNames())('%s', (name) => {
    const long = qualified(readSection(name, 'postgres'))
    expect(undecided(long)).toEqual([])
  })

  test('the short statements have such names', () => {
    expect(undecided(readSection('list-filter-sort-page', 'postgres'))).not.toEqual([])
  })
})
