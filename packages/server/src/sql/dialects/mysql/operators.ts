import type { Parameter } from '../../../lib/parameter.ts'
import { invalidQuery, type Operator } from '@tain/contract'
import { constant, placeholder } from '../../bind.ts'
import type { JsonTest, OperandEncoder, Test, TypedColumn } from '../../dialect.ts'
import { list, sql, type Sql } from '../../sql.ts'
import { inCharset, narrowCollation, survives } from './charsets.ts'
import { numberOperand, textOperand } from './operands.ts'
import { isTextType, mayBeZero } from './types.ts'

interface Side {
  readonly left: Sql
  /** The left side as text, for operators that search in it. */
  readonly text: Sql
  readonly name: string
  readonly parameter: Parameter
  readonly operand: OperandEncoder
  /** The collation of a column that lacks some characters, see narrowCollation. */
  readonly narrow: string | null
}

const bareValue = ({ parameter, operand, name }: Side): Sql => placeholder(parameter, operand.encode, name)

const value = (side: Side): Sql => side.operand.cast(bareValue(side))

const values = ({ parameter, operand, name }: Side): Sql =>
  operand.castList(
    placeholder(parameter, (given) => operand.encodeList(Array.isArray(given) ? given.flat() : [given]), name),
  )

const end = ({ parameter, operand, name }: Side, index: 0 | 1): Sql =>
  operand.cast(placeholder(parameter, (given) => operand.encode(Array.isArray(given) ? given[index] : null), name))

const escapeLike = (text: string) => text.replace(/[\\%_]/gu, '\\$&')

const bareText = ({ parameter, name }: Side, wrap: (text: string) => string): Sql => {
  const { encode } = textOperand(name)
  return placeholder(parameter, (given) => {
    const text = encode(given)
    return typeof text === 'string' ? wrap(escapeLike(text)) : null
  })
}

const pattern = (side: Side, wrap: (text: string) => string): Sql => {
  const bare = bareText(side, wrap)
  return side.narrow === null ? bare : inCharset(bare, side.narrow)
}

/** A negation, which is true for every value if the column cannot store the text. */
const differs = ({ left, narrow }: Side, negation: Sql, text: Sql): Sql =>
  narrow === null ? negation : sql`(${negation} or (${left} is not null and not ${survives(text, narrow)}))`

const inside = (text: string) => `%${text}%`
const leading = (text: string) => `${text}%`
const trailing = (text: string) => `%${text}`

const like = (wrap: (text: string) => string) => (side: Side) => sql`${side.text} like ${pattern(side, wrap)}`
const notLike = (wrap: (text: string) => string) => (side: Side) =>
  differs(side, sql`${side.text} not like ${pattern(side, wrap)}`, bareText(side, wrap))
const likeAnyCase = (wrap: (text: string) => string) => (side: Side) =>
  sql`lower(${side.text}) like lower(${pattern(side, wrap)})`
const notLikeAnyCase = (wrap: (text: string) => string) => (side: Side) =>
  differs(side, sql`lower(${side.text}) not like lower(${pattern(side, wrap)})`, bareText(side, wrap))

const unsupported = (): Sql => {
  throw invalidQuery('Geometries cannot be compared in this database')
}

const intersects = (side: Side) =>
  sql`st_intersects(${side.left}, st_geomfromgeojson(${pattern(side, (text) => text)}))`

const tests: Readonly<Record<Operator, (side: Side) => Sql>> = {
  _eq: (side) => sql`${side.left} = ${value(side)}`,
  _neq: (side) => differs(side, sql`${side.left} <> ${value(side)}`, bareValue(side)),
  _lt: (side) => sql`${side.left} < ${value(side)}`,
  _lte: (side) => sql`${side.left} <= ${value(side)}`,
  _gt: (side) => sql`${side.left} > ${value(side)}`,
  _gte: (side) => sql`${side.left} >= ${value(side)}`,
  _in: (side) => sql`${side.left} in ${values(side)}`,
  _nin: (side) => sql`${side.left} not in ${values(side)}`,
  _between: (side) => sql`${side.left} between ${end(side, 0)} and ${end(side, 1)}`,
  _nbetween: (side) => sql`${side.left} not between ${end(side, 0)} and ${end(side, 1)}`,
  _null: ({ left }) => sql`${left} is null`,
  _nnull: ({ left }) => sql`${left} is not null`,
  _empty: ({ left, text }) => sql`(${left} is null or ${text} = '')`,
  _nempty: ({ left, text }) => sql`(${left} is not null and ${text} <> '')`,
  _contains: like(inside),
  _ncontains: notLike(inside),
  _icontains: likeAnyCase(inside),
  _starts_with: like(leading),
  _nstarts_with: notLike(leading),
  _istarts_with: likeAnyCase(leading),
  _nistarts_with: notLikeAnyCase(leading),
  _ends_with: like(trailing),
  _nends_with: notLike(trailing),
  _iends_with: likeAnyCase(trailing),
  _niends_with: notLikeAnyCase(trailing),
  _json: unsupported,
  _intersects: intersects,
  _nintersects: (side) => sql`not ${intersects(side)}`,
  _intersects_bbox: unsupported,
  _nintersects_bbox: unsupported,
}

export const textOf = (left: Sql, { column }: TypedColumn): Sql =>
  isTextType(column.baseType) ? left : sql`cast(${left} as char)`

const ranged = new Set<Operator>(['_lt', '_lte', '_gt', '_gte', '_between', '_nbetween'])
/** To the server, a text that is not a uuid neither equals nor differs from any uuid. */
const negated = new Set<Operator>(['_neq', '_nin'])

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
const absent: Partial<Record<Operator, (left: Sql) => Sql>> = {
  _null: (left) => sql`(${left} is null or ${left} = 0)`,
  _empty: (left) => sql`(${left} is null or ${left} = 0)`,
  _nnull: (left) => sql`(${left} is not null and ${left} <> 0)`,
  _nempty: (left) => sql`(${left} is not null and ${left} <> 0)`,
}

export function test({ left, column, operator, parameter, operand }: Test): Sql {
  const isAbsent = absent[operator]
  if (isAbsent !== undefined && column !== null && mayBeZero(column.column)) return isAbsent(left)
  const isRanged = column !== null && ranged.has(operator)
  const isRank = isRanged && column.column.baseType === 'enum'
  return tests[operator]({
    left: isRanged || (negated.has(operator) && column?.column.baseType === 'uuid') ? sortable(left, column) : left,
    text: column === null ? left : textOf(left, column),
    name: column?.name ?? 'the function',
    parameter: parameter ?? -1,
    operand: isRank ? rankOf(column) : operand,
    narrow: column === null || isRank ? null : narrowCollation(column.column),
  })
}

const isPosition = (key: string) => /^\d+$/u.test(key)

const step = (key: string) => (isPosition(key) ? `[${key}]` : `.${JSON.stringify(key)}`)

const keysIn = (given: unknown): string[] => (Array.isArray(given) ? given.map(String) : [])

const pathTo = (keys: readonly string[]) => `$${keys.map(step).join('')}`

const jsonPath = (parameter: Parameter): Sql => placeholder(parameter, (given) => pathTo(keysIn(given)))

/** Paths that must lead to lists for the whole path to be valid: the server treats any other value as a list of one. */
const listsOf = (parameter: Parameter): Sql =>
  placeholder(parameter, (given) => {
    const keys = keysIn(given)
    return JSON.stringify(keys.flatMap((key, index) => (isPosition(key) ? [pathTo(keys.slice(0, index))] : [])))
  })

const whereLists = (left: Sql, path: Parameter, value: Sql): Sql =>
  sql`(case when not exists (select 1 from json_table(${listsOf(path)}, '$[*]' columns (p longtext character set utf8mb4 collate utf8mb4_bin path '$')) as l where json_type(json_extract(${left}, l.p)) <> 'ARRAY') then ${value} end)`

export const jsonAt = (left: Sql, path: Parameter): Sql =>
  whereLists(left, path, sql`json_extract(${left}, ${jsonPath(path)})`)

/** Numbers compare as numbers where the stored value is a number. Everything else compares as text. */
export function testJson({ left, path, operator, parameter, isNumeric }: JsonTest): Sql {
  const found = sql`json_extract(${left}, ${jsonPath(path)})`
  const kind = whereLists(left, path, sql`json_type(${found})`)
  const text = sql`(case when ${kind} <> 'NULL' then json_unquote(${found}) end)`
  const number = sql`(case when ${kind} in ('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL') then cast(json_unquote(${found}) as decimal(65, 30)) end)`
  const compared = isNumeric && operator !== '_null' && operator !== '_nnull' ? number : text
  const operand = isNumeric ? numberOperand : textOperand('_json')
  return tests[operator]({ left: compared, text, name: '_json', parameter: parameter ?? -1, operand, narrow: null })
}
