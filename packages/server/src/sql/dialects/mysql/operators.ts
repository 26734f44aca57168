import type { Parameter } from '../../../lib/parameter.ts'
import { invalidQuery, operators } from '@tain/contract'
import { constant, placeholder } from '../../bind.ts'
import type { JsonTest, OperandEncoder, Test, TypedColumn } from '../../dialect.ts'
import { list, sql, type Sql } from '../../sql.ts'
import { intersects, likePattern, matchLike } from '../base/like.ts'
import { bareValue, createTests, jsonSideOf, keysOf, searched, sideOf, value, type Side } from '../base/operators.ts'
import { inCharset, narrowCollation, survives } from './charsets.ts'
import { numberOperand, textOperand } from './operands.ts'
import { isTextType, mayBeZero } from './types.ts'

interface NarrowSide extends Side {
  /** The collation of a column that lacks some characters, see narrowCollation. */
  readonly narrow: string | null
}

const inColumnCharset = (pattern: Sql, { narrow }: NarrowSide): Sql =>
  narrow === null ? pattern : inCharset(pattern, narrow)

/** A negation, which is true for every value if the column cannot store the text. */
const differs = ({ left, narrow }: NarrowSide, negation: Sql, text: Sql): Sql =>
  narrow === null ? negation : sql`(${negation} or (${left} is not null and not ${survives(text, narrow)}))`

const like = matchLike(inColumnCharset)

const tests = createTests<NarrowSide>({
  match: (how) => {
    const test = like(how)
    return how.isNegated ? (side) => differs(side, test(side), searched(side, likePattern(how.at))) : test
  },
  tests: {
    _neq: (side) => differs(side, sql`${side.left} <> ${value(side)}`, bareValue(side)),
    ...intersects(inColumnCharset),
  },
})

export const textOf = (left: Sql, { column }: TypedColumn): Sql =>
  isTextType(column.baseType) ? left : sql`cast(${left} as char)`

/**
 * The server sorts uuids by the time in them; other databases sort them as text. Labels sort by their rank. The rank is
 * looked up, because a label that only some rows show is a text to the server. A value that a non-strict server stored
 * instead of a label has rank 0.
 */
export function sortable(left: Sql, typed: TypedColumn | null): Sql {
  if (typed === null) return left
  const { column } = typed
  if (column.baseType === 'enum')
    return sql`case when ${left} is not null then field(${list([left, ...(column.enumValues ?? []).map(constant)])}) end`
  // The server sorts a set as a number and compares it as a text.
  if (column.baseType === 'set') return sql`cast(${left} as char)`
  return column.baseType === 'uuid' && column.castType === 'uuid' ? sql`cast(${left} as char)` : left
}

/** Labels sort in the order of their declaration. As texts they would sort alphabetically. */
const rankOf = ({ name, column }: TypedColumn): OperandEncoder => ({
  ...numberOperand,
  encode: (value) => {
    const rank = column.enumValues?.indexOf(String(value)) ?? -1
    if (rank === -1) throw invalidQuery(`"${name}" takes one of ${column.enumValues?.join(', ')}`)
    return String(rank + 1)
  },
})

/** A zero date is shown as null, and filters treat it as null. */
const testsMissing = (left: Sql, whenMissing: boolean): Sql =>
  whenMissing ? sql`(${left} is null or ${left} = 0)` : sql`(${left} is not null and ${left} <> 0)`

export function test(given: Test): Sql {
  const { left, column, operator } = given
  const row = operators[operator]
  if (row.operand === 'flag' && column !== null && mayBeZero(column.column)) return testsMissing(left, row.whenMissing)
  const isRanged = column !== null && row.tests === 'order'
  // To the server, a text that is not a uuid neither equals nor differs from any uuid.
  const isNegatedUuid = column?.column.baseType === 'uuid' && row.tests === 'equality' && row.negates
  const isRank = isRanged && column.column.baseType === 'enum'
  const compared = isRanged || isNegatedUuid ? sortable(left, column) : left
  return tests[operator]({
    ...sideOf(given, compared, column === null ? left : textOf(left, column)),
    ...(isRank ? { operand: rankOf(column) } : {}),
    narrow: column === null || isRank ? null : narrowCollation(column.column),
  })
}

const isPosition = (key: string) => /^\d+$/u.test(key)

const step = (key: string) => (isPosition(key) ? `[${key}]` : `.${JSON.stringify(key)}`)

const pathTo = (keys: readonly string[]) => `$${keys.map(step).join('')}`

const jsonPath = (parameter: Parameter): Sql => placeholder(parameter, (given) => pathTo(keysOf(given)))

/** Paths that must lead to lists for the whole path to be valid: the server treats any other value as a list of one. */
const listsOf = (parameter: Parameter): Sql =>
  placeholder(parameter, (given) => {
    const keys = keysOf(given)
    return JSON.stringify(keys.flatMap((key, index) => (isPosition(key) ? [pathTo(keys.slice(0, index))] : [])))
  })

const whereLists = (left: Sql, path: Parameter, value: Sql): Sql =>
  sql`(case when not exists (select 1 from json_table(${listsOf(path)}, '$[*]' columns (p longtext character set utf8mb4 collate utf8mb4_bin path '$')) as l where json_type(json_extract(${left}, l.p)) <> 'ARRAY') then ${value} end)`

export const jsonAt = (left: Sql, path: Parameter): Sql =>
  whereLists(left, path, sql`json_extract(${left}, ${jsonPath(path)})`)

export function testJson(given: JsonTest): Sql {
  const { left, path } = given
  const found = sql`json_extract(${left}, ${jsonPath(path)})`
  const kind = whereLists(left, path, sql`json_type(${found})`)
  const text = sql`(case when ${kind} <> 'NULL' then json_unquote(${found}) end)`
  const number = sql`(case when ${kind} in ('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL') then cast(json_unquote(${found}) as decimal(65, 30)) end)`
  return tests[given.operator]({ ...jsonSideOf(given, { text, number }, { numberOperand, textOperand }), narrow: null })
}
