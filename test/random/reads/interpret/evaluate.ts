import type { FieldFunction, Filter, Operator, Subject, Test } from '../ast.ts'
import { DATE_PARTS, type DatePart, splitMoment, TIME_PARTS } from '../../database/clock.ts'
import { anyOf, columnOf, relationOf, tableOf } from '../../database/model.ts'
import type { Cell, Column, ColumnType, Dialect, Json, Model, Relation, Row } from '../../database/model.ts'
import { compareValues, lowered, parseNumeric, wholeNumber } from '../../database/values.ts'
import type { World } from './world.ts'

/** SQL's three-valued logic. */
export type Truth = boolean | null

export type ValueType = Pick<Column, 'type' | 'enumType'>

/** The value of a column or function; `row` is null for a related row that does not exist. */
export function subjectValue(world: World, collection: string, subject: Subject, row: Row | null): Cell {
  const { model } = world
  if (isChildCount(model, collection, subject)) {
    const relation = relationOf(model, collection, subject.name)
    return row === null ? null : (world.related(collection, relation, row, null)?.length ?? null)
  }
  const cell = row === null ? null : world.cell(collection, row, subject.name)
  if (subject.fn === undefined || cell === null) return cell
  return applyFunction(subject.fn, columnOf(tableOf(model, collection), subject.name).type, cell)
}

function isChildCount(model: Model, collection: string, { name, fn }: Subject): boolean {
  const relation = fn === 'count' ? model.relations.get(collection)?.get(name) : undefined
  return relation !== undefined && relation.kind !== 'one'
}

export function subjectType(model: Model, collection: string, subject: Subject): ValueType {
  return subject.fn === undefined ? columnOf(tableOf(model, collection), subject.name) : wholeNumber()
}

/** The key under which the response contains the value. */
export function outputKey({ name, fn }: Subject): string {
  return fn === undefined ? name : `${name}_${fn}`
}

function applyFunction(fn: FieldFunction, type: ColumnType, cell: Exclude<Cell, null>): Cell {
  if (fn === 'count') return listLength((cell as { json: Json }).json)
  if (isDatePart(fn)) return DATE_PARTS[fn](type === 'date' ? (cell as number) : splitMoment(cell as number).days)
  return TIME_PARTS[fn](type === 'time' ? (cell as number) : splitMoment(cell as number).time)
}

function listLength(json: Json): number | null {
  return Array.isArray(json) ? json.length : null
}

function isDatePart(fn: FieldFunction): fn is DatePart {
  return Object.hasOwn(DATE_PARTS, fn)
}

function not(truth: Truth): Truth {
  return truth === null ? null : !truth
}

function all(truths: readonly Truth[]): Truth {
  return truths.includes(false) ? false : truths.includes(null) ? null : true
}

function any(truths: readonly Truth[]): Truth {
  return truths.includes(true) ? true : truths.includes(null) ? null : false
}

/** Whether the row matches the filter. A null row is the missing end of a to-one relation: all its columns are NULL. */
export function evaluate(world: World, collection: string, filter: Filter, row: Row | null): Truth {
  const { model } = world
  switch (filter.kind) {
    case 'and':
      return all(filter.items.map((item) => evaluate(world, collection, item, row)))
    case 'or':
      return any(filter.items.map((item) => evaluate(world, collection, item, row)))
    case 'test': {
      // A missing row has no count: it is neither null nor a number.
      const isNullness = filter.op === '_null' || filter.op === '_nnull'
      if (row === null && isNullness && isChildCount(model, collection, filter.subject)) return false
      const value = subjectValue(world, collection, filter.subject, row)
      return evaluateTest(model.dialect, subjectType(model, collection, filter.subject), value, filter)
    }
    case 'one':
    case 'some':
    case 'none':
    case 'exists':
    case 'member':
      return evaluateRelation(world, collection, relationOf(model, collection, filter.field), filter, row)
    case 'any': {
      const any = anyOf(model, collection)
      const end = row === null ? null : world.anyTarget(collection, any, filter.target, row, null)
      // For another collection there is no row at all, rather than a row of NULLs.
      return end === null ? false : evaluate(world, filter.target, filter.filter, end)
    }
    case 'bare':
      return false
    case 'constant':
      return filter.value
  }
  throw new Error('no such filter')
}

type RelationFilter = Exclude<Extract<Filter, { field: string }>, { kind: 'any' }>

function evaluateRelation(
  world: World,
  collection: string,
  relation: Relation,
  filter: RelationFilter,
  row: Row | null,
): Truth {
  const ends = row === null ? [] : (world.related(collection, relation, row, null) ?? [])
  switch (filter.kind) {
    case 'one':
      return evaluate(world, relation.target, filter.filter, ends[0] ?? null)
    case 'some':
      return ends.some((end) => evaluate(world, relation.target, filter.filter, end) === true)
    case 'none':
      return !ends.some((end) => evaluate(world, relation.target, filter.filter, end) === true)
    case 'exists':
      return ends.length > 0 === ((filter.op === '_nnull') === filter.value)
    case 'member': {
      const key = tableOf(world.model, relation.target).key[0]!
      return ends.some((end) => world.cell(relation.target, end, key) === filter.key)
    }
  }
  throw new Error('no such relation filter')
}

type Compare = (type: ValueType, value: Cell, operands: readonly Cell[], dialect: Dialect) => Truth

type CompareOrder = (type: ValueType, value: Cell, operands: readonly Cell[]) => Truth

const byOrder =
  (isMet: (order: number) => boolean): CompareOrder =>
  (type, value, [operand = null]) =>
    value === null || operand === null ? null : isMet(compareValues(type, value, operand))

const equal = byOrder((order) => order === 0)
const atLeast = byOrder((order) => order >= 0)
const atMost = byOrder((order) => order <= 0)

const between: CompareOrder = (type, value, [low = null, high = null]) =>
  all([atLeast(type, value, [low]), atMost(type, value, [high])])

const COMPARE: Readonly<Record<Operator, Compare>> = {
  _eq: (type, value, [operand = null]) => (operand === null ? value === null : equal(type, value, [operand])),
  _neq: (type, value, [operand = null]) => (operand === null ? value !== null : not(equal(type, value, [operand]))),
  _lt: byOrder((order) => order < 0),
  _lte: atMost,
  _gt: byOrder((order) => order > 0),
  _gte: atLeast,
  _in: (type, value, operands) => any(operands.map((operand) => equal(type, value, [operand]))),
  _nin: (type, value, operands) => all(operands.map((operand) => not(equal(type, value, [operand])))),
  _between: between,
  _nbetween: (type, value, operands) => not(between(type, value, operands)),
  _null: (_type, value, [wanted]) => (value === null) === wanted,
  _nnull: (_type, value, [wanted]) => (value !== null) === wanted,
  _empty: (_type, value, [wanted]) => (value === null || value === '') === wanted,
  _nempty: (_type, value, [wanted]) => (value !== null && value !== '') === wanted,
  _contains: byText((text, part) => text.includes(part)),
  _ncontains: byText((text, part) => !text.includes(part)),
  _icontains: byLowered((text, part) => text.includes(part)),
  _starts_with: byText((text, part) => text.startsWith(part)),
  _nstarts_with: byText((text, part) => !text.startsWith(part)),
  _istarts_with: byLowered((text, part) => text.startsWith(part)),
  _nistarts_with: byLowered((text, part) => !text.startsWith(part)),
  _ends_with: byText((text, part) => text.endsWith(part)),
  _nends_with: byText((text, part) => !text.endsWith(part)),
  _iends_with: byLowered((text, part) => text.endsWith(part)),
  _niends_with: byLowered((text, part) => !text.endsWith(part)),
}

function byText(isMet: (text: string, part: string) => boolean): Compare {
  return (_type, value, [operand]) => (value === null ? null : isMet(value as string, operand as string))
}

function byLowered(isMet: (text: string, part: string) => boolean): Compare {
  return (_type, value, [operand], dialect) =>
    value === null ? null : isMet(lowered(dialect, value as string), lowered(dialect, operand as string))
}

function evaluateTest(
  dialect: Dialect,
  type: ValueType,
  value: Cell,
  { op, operands }: Pick<Test, 'op' | 'operands'>,
): Truth {
  return COMPARE[op](type, value, operands, dialect)
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const NUMBER = /^-?\d+(\.\d+)?$/

/** Whether any column that the term applies to matches it. */
export function matchesSearch(world: World, collection: string, row: Row, term: string): boolean {
  return tableOf(world.model, collection).columns.some((column) => {
    const cell = world.cell(collection, row, column.name)
    return cell !== null && SEARCH[column.type]?.(cell, term, world.model.dialect) === true
  })
}

type Search = (value: Exclude<Cell, null>, term: string, dialect: Dialect) => boolean

const inText: Search = (value, term, dialect) => lowered(dialect, value as string).includes(lowered(dialect, term))
const asWhole: Search = (value, term) => /^-?\d+$/.test(term) && BigInt(value as number | bigint) === BigInt(term)

const SEARCH: Readonly<Partial<Record<ColumnType, Search>>> = {
  text: inText,
  varchar: inText,
  enum: inText,
  integer: asWhole,
  bigint: asWhole,
  numeric: (value, term) => NUMBER.test(term) && parseNumeric(term) === value,
  real: (value, term) => NUMBER.test(term) && Number(term) === value,
  uuid: (value, term) => UUID.test(term) && value === term.toLowerCase(),
}
