import { invalidQuery, isFieldFunction, isOperator, operators } from '@tain/contract'
import { isExactNumber } from '../lib/exact-json.ts'
import { nearest } from '../lib/nearest.ts'
import type { Filter, JsonCondition, Parameter, Tested } from './query.ts'
import { parseJsonPath, parsePath, type WrittenCall } from './segments.ts'
import { coerce, type Values } from './values.ts'
import { asList, asObject, isObject, type WireObject } from './wire.ts'

export interface FilterLimits {
  readonly depth: number
  readonly jsonDepth: number
  readonly listLength: number
}

export interface FilterContext {
  readonly values: Values
  readonly limits: FilterLimits
  /** The context inside one more `_and` or `_or`. */
  readonly deeper: () => FilterContext
}

type Context = FilterContext

/** The context inside `nesting` levels of `_and` and `_or`. */
export const filterContext = (values: Values, limits: FilterLimits, nesting = 0): FilterContext => ({
  values,
  limits,
  deeper: () => {
    if (nesting >= MAX_NESTING) throw invalidQuery(`Filters may nest _and and _or at most ${MAX_NESTING} levels deep`)
    return filterContext(values, limits, nesting + 1)
  },
})

/**
 * Maximum levels of `_and` and `_or`. Deeper filters are not written by hand, and the database would refuse them
 * anyway.
 */
const MAX_NESTING = 100

const everything: Filter = { kind: 'constant', value: true }

export function parseFilter(wire: unknown, values: Values, limits: FilterLimits): Filter | null {
  const filter = parseObject(asObject(wire, 'filter'), 0, filterContext(values, limits))
  return filter.kind === 'constant' && filter.value ? null : filter
}

export function conjunction(parts: readonly Filter[]): Filter {
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : parts.length === 0 ? everything : { kind: 'and', parts }
}

/** Without branches, an `_or` matches no row. */
export const disjunction = (parts: readonly Filter[]): Filter =>
  parts.length === 0
    ? { kind: 'constant', value: false }
    : parts.length === 1
      ? conjunction(parts)
      : { kind: 'or', parts }

/** Whether a filter has no condition, so that every row matches. */
export function isUnconditional(filter: Filter | JsonCondition): boolean {
  switch (filter.kind) {
    case 'constant':
      return filter.value
    case 'and':
      return filter.parts.every(isUnconditional)
    case 'or':
      return filter.parts.some(isUnconditional)
    default:
      return false
  }
}

export const noOperator = (name: string) =>
  invalidQuery(
    `The filter on "${name}" has no operator. An undefined value is not sent; for no condition, leave it out`,
  )

/** A relation or a document is tested by the conditions below it. */
export function tested<F extends Filter | JsonCondition>(name: string, below: F): F {
  if (isUnconditional(below)) throw noOperator(name)
  return below
}

/** An object of fields and logical operators, all of which must hold. */
function parseObject(wire: WireObject, depth: number, context: Context): Filter {
  const keys = Object.keys(wire)
  if (depth >= context.limits.depth && keys.length > 0) throw invalidQuery('Max relational depth exceeded')
  if (keys.length === 0) context.values.spend('conditions', 1)
  return conjunction(
    keys.map((key) => {
      if (key === '_and' || key === '_or') return parseLogical(key, wire[key], depth, context)
      if (key.startsWith('_') && isOperator(key)) throw invalidQuery(`"${key}" has to stand under a field`)
      return parseField(key, wire[key], depth, context)
    }),
  )
}

function parseLogical(key: '_and' | '_or', wire: unknown, depth: number, context: Context): Filter {
  const inside = context.deeper()
  const given = asList(wire)
  if (given.length === 0) context.values.spend('conditions', 1)
  const parts = given.map((part) => {
    if (!isObject(part)) throw invalidQuery(`"${key}" has to be a list of filters`)
    return parseObject(part, depth, inside)
  })
  return key === '_and' ? conjunction(parts) : disjunction(parts)
}

function parseField(key: string, wire: unknown, depth: number, context: Context): Filter {
  const follow = /^\$FOLLOW\(\s*([^,()]+?)\s*,\s*([^,()]+?)\s*(?:,\s*([^,()]+?)\s*)?\)$/u.exec(key)
  if (follow !== null) {
    const [, collection = '', field = '', collectionField = null] = follow
    const inner = tested(key, parseObject(conditions(wire, key), depth + 1, context))
    return { kind: 'follow', collection, field, collectionField, filter: inner }
  }
  const called = /^([A-Za-z]+)\(.*\)$/su.exec(key)?.[1]
  if (called !== undefined && isFieldFunction(called)) {
    const [segment] = parsePath(key)
    if (segment?.call) return parseFunction(key, segment.call, wire, depth, context)
  }
  const at = scopeAt(key)
  const name = at === -1 ? key : key.slice(0, at)
  const scope = at === -1 ? null : key.slice(at + 1)
  return parseNamed(name, scope, wire, depth, context)
}

/**
 * Position of the scope in `item:collection`. A field name can contain colons, so the binder looks up the whole key
 * first.
 */
const scopeAt = (key: string) => key.indexOf(':')

function conditions(wire: unknown, key: string): WireObject {
  if (!isObject(wire)) throw invalidQuery(`The filter on "${key}" has to be an object`)
  return wire
}

function parseFunction(key: string, { fn, path }: WrittenCall, wire: unknown, depth: number, context: Context): Filter {
  if (depth + path.length > context.limits.depth) throw invalidQuery('Max relational depth exceeded')
  if (fn === 'json') throw invalidQuery('json() cannot be filtered; use _json on the field')
  const last = path.at(-1)
  if (last === undefined) throw invalidQuery(`"${key}" names no field`)
  const entries = isObject(wire)
    ? Object.keys(wire).map((operator) => [operator, wire[operator]] as const)
    : [['_eq', wire] as const]
  if (entries.length === 0) throw noOperator(key)
  const value: Tested = { name: last.name, fn }
  const test = conjunction(entries.map(([operator, operand]) => parseTest(value, operator, operand, context)))
  return path
    .slice(0, -1)
    .reduceRight<Filter>(
      (filter, { name, scope }) => ({ kind: 'relation', name, scope, quantifier: 'some', filter }),
      test,
    )
}

function parseNamed(name: string, scope: string | null, wire: unknown, depth: number, context: Context): Filter {
  const whole = scope === null ? name : `${name}:${scope}`
  const value: Tested = { name: whole, fn: null }
  if (!isObject(wire)) {
    if (Array.isArray(wire)) throw invalidQuery(`The filter on "${whole}" has to be a value or an object`)
    return parseTest(value, '_eq', wire, context)
  }
  const parts: Filter[] = []
  const inner: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const key of Object.keys(wire)) {
    if (key === '_some' || key === '_none') {
      const filter = parseObject(conditions(wire[key], key), depth + 1, context)
      parts.push({ kind: 'relation', name, scope, quantifier: key === '_some' ? 'some' : 'none', filter })
    } else if (key === '_json') {
      parts.push(parseDocument(whole, wire[key], context))
    } else if (key.startsWith('_') && key !== '_and' && key !== '_or' && !isObject(wire[key])) {
      parts.push(parseTest(value, key, wire[key], context))
    } else if (isOperator(key)) {
      parts.push(parseTest(value, key, wire[key], context))
    } else {
      inner[key] = wire[key]
    }
  }
  if (Object.keys(inner).length > 0) {
    const filter = tested(whole, parseObject(inner, depth + 1, context))
    parts.push({ kind: 'relation', name, scope, quantifier: 'some', filter })
  }
  if (parts.length === 0) throw noOperator(whole)
  return conjunction(parts)
}

/** Conditions on a value itself, all of which must hold. */
export function parseConditions(field: Tested, wire: WireObject, context: FilterContext): Filter {
  const keys = Object.keys(wire)
  if (keys.length === 0) throw noOperator(field.name)
  return conjunction(
    keys.map((key) =>
      key === '_json' ? parseDocument(field.name, wire[key], context) : parseTest(field, key, wire[key], context),
    ),
  )
}

const parseDocument = (name: string, wire: unknown, context: Context): Filter => ({
  kind: 'json',
  name,
  condition: tested(name, parseJson(conditions(wire, '_json'), context)),
})

export function parseTest(field: Tested, name: string, operand: unknown, context: Context): Filter {
  context.values.spend('conditions', 1)
  if (!isOperator(name)) {
    const hint = nearest(name, Object.keys(operators))
    throw invalidQuery(`There is no operator "${name}"${hint === undefined ? '' : `; did you mean "${hint}"?`}`)
  }
  const where = `"${field.name}" ${name}`
  const row = operators[name]
  switch (row.operand) {
    case 'flag': {
      const operator = isWanted(operand, where) ? name : row.opposite
      return { kind: 'test', field, operator, operand: null }
    }
    case 'list': {
      const list = listOf(operand, where)
      // A null operand stands for the empty list: it is part of the shape, because there is no value to compare.
      if (list.length === 0) return { kind: 'test', field, operator: name, operand: null }
      if (list.length > context.limits.listLength)
        throw invalidQuery(`${where} has more than ${context.limits.listLength} values`)
      context.values.spend('values', list.length)
      return { kind: 'test', field, operator: name, operand: context.values.add(list) }
    }
    case 'pair': {
      const list = listOf(operand, where)
      if (list.length !== 2) throw invalidQuery(`${where} takes two values`)
      return { kind: 'test', field, operator: name, operand: context.values.add(list) }
    }
    case 'json':
    case 'geometry':
      return { kind: 'test', field, operator: name, operand: context.values.add(operand) }
    case 'value': {
      const value = coerce(operand, where)
      if (value === null && row.withNull !== null) return { kind: 'test', field, operator: row.withNull, operand: null }
      if (value === null) throw invalidQuery(`${where} cannot be compared with null`)
      return { kind: 'test', field, operator: name, operand: context.values.add(value) }
    }
  }
}

/** `_null: false` means `_nnull`. An empty value counts as true, because a URL may say `filter[a][_null]=`. */
function isWanted(operand: unknown, where: string): boolean {
  const value = operand === '' ? true : coerce(operand, where)
  if (value === false || value === 0 || value === '0') return false
  if (value === true || value === 1 || value === '1') return true
  throw invalidQuery(`${where} takes true or false`)
}

function listOf(operand: unknown, where: string): readonly unknown[] {
  if (operand === '') return []
  const list = typeof operand === 'string' ? operand.split(',') : asList(operand)
  return list.map((value) => coerce(value, where))
}

function parseJson(wire: WireObject, context: Context): JsonCondition {
  const parts = Object.keys(wire).flatMap((key): JsonCondition[] => {
    if (key === '_and' || key === '_or') {
      const given = asList(wire[key])
      if (given.length === 0) context.values.spend('conditions', 1)
      const branches = given.map((part) => parseJson(conditions(part, key), context.deeper()))
      return [{ kind: key === '_and' ? 'and' : 'or', parts: branches }]
    }
    const path = context.values.add(parseJsonPath(key, context.limits.jsonDepth))
    const tests = isObject(wire[key]) ? wire[key] : { _eq: wire[key] }
    if (Object.keys(tests).length === 0) throw noOperator(key)
    return Object.keys(tests).map((operator) => parseJsonTest(key, path, operator, tests[operator], context))
  })
  if (parts.length === 0) throw invalidQuery('_json needs a path')
  return { kind: 'and', parts }
}

function parseJsonTest(
  key: string,
  path: Parameter,
  operator: string,
  operand: unknown,
  context: Context,
): JsonCondition {
  if (!isOperator(operator) || !operators[operator].insideJson)
    throw invalidQuery(`There is no operator "${operator}" inside _json`)
  const test = parseTest({ name: key, fn: null }, operator, operand, context)
  const isEmptyList = test.kind === 'test' && test.operand === null && operators[test.operator].operand === 'list'
  if (test.kind !== 'test' || isEmptyList) throw invalidQuery(`"${key}" ${operator} needs at least one value`)
  const isNumeric =
    test.operand !== null && asList(operand).every((entry) => typeof entry === 'number' || isExactNumber(entry))
  return { kind: 'test', path, operator: test.operator, operand: test.operand, isNumeric }
}
