import { invalidQuery, isOperator, operators, type Operator } from '@tain/contract'
import { nearest } from '../lib/nearest.ts'
import type { Filter, JsonCondition, Slot, Tested } from './query.ts'
import { parseJsonPath, parsePath } from './segments.ts'
import { coerce, type Values } from './values.ts'
import { asList, asObject, isObject, type WireObject } from './wire.ts'

export interface FilterLimits {
  readonly depth: number
  readonly jsonDepth: number
  readonly listLength: number
}

interface Context {
  readonly values: Values
  readonly limits: FilterLimits
}

const everything: Filter = { kind: 'constant', value: true }
const nothing: Filter = { kind: 'constant', value: false }

export function parseFilter(wire: unknown, values: Values, limits: FilterLimits): Filter | null {
  const filter = parseObject(asObject(wire, 'filter'), 0, { values, limits })
  return filter.kind === 'constant' && filter.value ? null : filter
}

function conjunction(parts: readonly Filter[]): Filter {
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : parts.length === 0 ? everything : { kind: 'and', parts }
}

/** An object of fields and logical operators, all of which must hold. */
function parseObject(wire: WireObject, depth: number, context: Context): Filter {
  if (depth > context.limits.depth) throw invalidQuery('Max relational depth exceeded')
  return conjunction(
    Object.keys(wire).map((key) => {
      if (key === '_and' || key === '_or') return parseLogical(key, wire[key], depth, context)
      if (key.startsWith('_') && isOperator(key)) throw invalidQuery(`"${key}" has to stand under a field`)
      return parseField(key, wire[key], depth, context)
    }),
  )
}

function parseLogical(key: '_and' | '_or', wire: unknown, depth: number, context: Context): Filter {
  const parts = asList(wire).map((part) => {
    if (!isObject(part)) throw invalidQuery(`"${key}" has to be a list of filters`)
    return parseObject(part, depth, context)
  })
  if (key === '_and') return conjunction(parts)
  // A branch without conditions is met by every row, and so is a choice without branches.
  if (parts.length === 0 || parts.some((part) => part.kind === 'constant' && part.value)) return everything
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : { kind: 'or', parts }
}

function parseField(key: string, wire: unknown, depth: number, context: Context): Filter {
  const follow = /^\$FOLLOW\(\s*([^,()]+?)\s*,\s*([^,()]+?)\s*(?:,\s*([^,()]+?)\s*)?\)$/u.exec(key)
  if (follow !== null) {
    const [, collection = '', field = '', collectionField = null] = follow
    const inner = parseObject(conditions(wire, key), depth + 1, context)
    return { kind: 'follow', collection, field, collectionField, filter: inner }
  }
  const call = /^[A-Za-z]+\(/u.test(key) ? parsePath(key) : null
  const [first] = call ?? []
  if (call !== null && first?.call && call.length === 1)
    return parseFunction(key, first.call.fn, first.call.path, wire, context)
  const at = scopeAt(key)
  const name = at === -1 ? key : key.slice(0, at)
  const scope = at === -1 ? null : key.slice(at + 1)
  return parseConditions(name, scope, wire, depth, context)
}

/** `item:collection`; a name may hold colons itself, so the binder looks the whole key up first. */
const scopeAt = (key: string) => key.indexOf(':')

function conditions(wire: unknown, key: string): WireObject {
  if (!isObject(wire)) throw invalidQuery(`The filter on "${key}" has to be an object`)
  return wire
}

function parseFunction(
  key: string,
  fn: Tested['fn'],
  path: readonly { name: string; scope: string | null }[],
  wire: unknown,
  context: Context,
): Filter {
  if (fn === 'json') throw invalidQuery('json() cannot be filtered; use _json on the field')
  const last = path.at(-1)
  if (last === undefined) throw invalidQuery(`"${key}" names no field`)
  const entries = isObject(wire)
    ? Object.keys(wire).map((operator) => [operator, wire[operator]] as const)
    : [['_eq', wire] as const]
  const test = conjunction(
    entries.map(([operator, operand]) => parseTest({ name: last.name, fn }, operator, operand, context)),
  )
  return path
    .slice(0, -1)
    .reduceRight<Filter>(
      (filter, { name, scope }) => ({ kind: 'relation', name, scope, quantifier: 'some', filter }),
      test,
    )
}

function parseConditions(name: string, scope: string | null, wire: unknown, depth: number, context: Context): Filter {
  const tested: Tested = { name: scope === null ? name : `${name}:${scope}`, fn: null }
  if (!isObject(wire)) {
    if (Array.isArray(wire)) throw invalidQuery(`The filter on "${tested.name}" has to be a value or an object`)
    return parseTest(tested, '_eq', wire, context)
  }
  const parts: Filter[] = []
  const inner: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const key of Object.keys(wire)) {
    if (key === '_some' || key === '_none') {
      const filter = parseObject(conditions(wire[key], key), depth + 1, context)
      parts.push({ kind: 'relation', name, scope, quantifier: key === '_some' ? 'some' : 'none', filter })
    } else if (key === '_json') {
      parts.push({ kind: 'json', name: tested.name, condition: parseJson(conditions(wire[key], key), context) })
    } else if (key.startsWith('_') && key !== '_and' && key !== '_or' && !isObject(wire[key])) {
      parts.push(parseTest(tested, key, wire[key], context))
    } else if (isOperator(key)) {
      parts.push(parseTest(tested, key, wire[key], context))
    } else {
      inner[key] = wire[key]
    }
  }
  if (Object.keys(inner).length > 0) {
    const filter = parseObject(inner, depth + 1, context)
    parts.push({ kind: 'relation', name, scope, quantifier: 'some', filter })
  }
  return conjunction(parts)
}

function parseTest(field: Tested, name: string, operand: unknown, context: Context): Filter {
  if (!isOperator(name)) {
    const hint = nearest(name, Object.keys(operators))
    throw invalidQuery(`There is no operator "${name}"${hint === undefined ? '' : `; did you mean "${hint}"?`}`)
  }
  const where = `"${field.name}" ${name}`
  switch (operators[name].operand) {
    case 'flag':
      return { kind: 'test', field, operator: flagged(name, operand, where), operand: null }
    case 'list': {
      const list = listOf(operand, where)
      if (list.length === 0) return name === '_in' ? nothing : everything
      if (list.length > context.limits.listLength)
        throw invalidQuery(`${where} has more than ${context.limits.listLength} values`)
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
      if (value === null && name === '_eq') return { kind: 'test', field, operator: '_null', operand: null }
      if (value === null && name === '_neq') return { kind: 'test', field, operator: '_nnull', operand: null }
      if (value === null) throw invalidQuery(`${where} cannot be compared with null`)
      return { kind: 'test', field, operator: name, operand: context.values.add(value) }
    }
  }
}

const opposites: Partial<Record<Operator, Operator>> = {
  _null: '_nnull',
  _nnull: '_null',
  _empty: '_nempty',
  _nempty: '_empty',
}

/** `_null: false` is `_nnull`; an empty value counts as true, as `filter[a][_null]=` is written that way. */
function flagged(operator: Operator, operand: unknown, where: string): Operator {
  const value = operand === '' ? true : coerce(operand, where)
  if (value === false || value === 0 || value === '0') return opposites[operator] ?? operator
  if (value === true || value === 1 || value === '1') return operator
  throw invalidQuery(`${where} takes true or false`)
}

function listOf(operand: unknown, where: string): readonly unknown[] {
  if (operand === '') return []
  const list = typeof operand === 'string' ? operand.split(',') : asList(operand)
  return list.map((value) => coerce(value, where))
}

const jsonOperators: ReadonlySet<string> = new Set([
  '_eq',
  '_neq',
  '_lt',
  '_lte',
  '_gt',
  '_gte',
  '_in',
  '_nin',
  '_between',
  '_nbetween',
  '_null',
  '_nnull',
  '_contains',
  '_ncontains',
  '_icontains',
  '_starts_with',
  '_ends_with',
])

function parseJson(wire: WireObject, context: Context): JsonCondition {
  const parts = Object.keys(wire).flatMap((key): JsonCondition[] => {
    if (key === '_and' || key === '_or') {
      const branches = asList(wire[key]).map((part) => parseJson(conditions(part, key), context))
      return [{ kind: key === '_and' ? 'and' : 'or', parts: branches }]
    }
    const path = context.values.add(parseJsonPath(key, context.limits.jsonDepth))
    const tests = isObject(wire[key]) ? wire[key] : { _eq: wire[key] }
    return Object.keys(tests).map((operator) => parseJsonTest(key, path, operator, tests[operator], context))
  })
  if (parts.length === 0) throw invalidQuery('_json needs a path')
  return { kind: 'and', parts }
}

function parseJsonTest(key: string, path: Slot, operator: string, operand: unknown, context: Context): JsonCondition {
  if (!jsonOperators.has(operator)) throw invalidQuery(`There is no operator "${operator}" inside _json`)
  const test = parseTest({ name: key, fn: null }, operator, operand, context)
  if (test.kind !== 'test') throw invalidQuery(`"${key}" ${operator} needs at least one value`)
  const value = test.operand === null ? null : context.values.list[test.operand]
  const isNumeric = asList(value).every((entry) => typeof entry === 'number')
  return { kind: 'test', path, operator: test.operator, operand: test.operand, isNumeric }
}
