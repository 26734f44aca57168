import type { Deep, Filter, Grouping, GroupSort, Query, Selection, SortTerm, Subject, Test } from './ast.ts'
import { subjectType } from './interpret/evaluate.ts'
import { isRecord } from './interpret/expected.ts'
import { type Json, type Model, relationOf, tableOf, columnOf } from '../database/model.ts'
import { toOperand } from '../database/values.ts'

/** The JSON form of a query, as SEARCH sends it, and of its parts. */
export interface WireQuery {
  [key: string]: Json
}

function record(): WireQuery {
  return Object.create(null) as WireQuery
}

/** Escapes the characters that have a meaning in a path. */
export function escapeName(name: string): string {
  return name.replace(/[.,:()\- \\]/g, '\\$&')
}

function spellSubject({ name, fn }: Subject): string {
  return fn === undefined ? escapeName(name) : `${fn}(${escapeName(name)})`
}

export function toWire(model: Model, query: Query, extra: Readonly<Record<string, Json>> = {}): WireQuery {
  const wire = record()
  const { collection, grouping } = query
  if (query.fields !== undefined) wire['fields'] = spellFields(query.fields)
  const alias = query.fields === undefined ? null : spellAliases(query.fields)
  if (alias !== null) wire['alias'] = alias
  const deep = query.fields === undefined ? null : spellDeep(model, collection, query.fields)
  if (deep !== null) wire['deep'] = deep
  spellShape(model, collection, query, wire, '')
  if (grouping !== undefined) spellGrouping(grouping, wire)
  if (query.counts === true) wire['meta'] = 'total_count,filter_count'
  return Object.assign(wire, extra)
}

/** The parameters that a query and its nested `deep` objects share; in `deep` their names begin with `_`. */
function spellShape(model: Model, collection: string, shape: Deep, target: WireQuery, prefix: string): void {
  if (shape.filter !== undefined) target[`${prefix}filter`] = spellFilter(model, collection, shape.filter)
  if (shape.search !== undefined) target[`${prefix}search`] = shape.search
  if (shape.sort !== undefined) target[`${prefix}sort`] = shape.sort.map(spellSort)
  if (shape.limit !== undefined) target[`${prefix}limit`] = shape.limit
  if (shape.offset !== undefined) target[`${prefix}offset`] = shape.offset
  if (shape.page !== undefined) target[`${prefix}page`] = shape.page
}

function spellSort({ path, subject, desc }: SortTerm): string {
  return `${desc ? '-' : ''}${[...path.map(escapeName), spellSubject(subject)].join('.')}`
}

function spellFields(fields: readonly Selection[], prefix = ''): string[] {
  return fields.flatMap((field): string[] => {
    switch (field.kind) {
      case 'star':
        return [`${prefix}*`]
      case 'starstar':
        return [`${prefix}*.*`]
      case 'field':
        return [`${prefix}${field.as === undefined ? spellSubject(field.subject) : escapeName(field.as)}`]
      case 'relation': {
        const here = `${prefix}${escapeName(field.as ?? field.field)}`
        const nested = field.fields === null ? [] : spellFields(field.fields, `${here}.`)
        return field.fields === null || field.bareToo ? [here, ...nested] : nested
      }
      case 'any':
        return field.branches.flatMap((branch) =>
          spellFields(branch.fields, `${prefix}${escapeName(field.as ?? field.field)}:${escapeName(branch.target)}.`),
        )
    }
    throw new Error('no such selection')
  })
}

function spellAliases(fields: readonly Selection[]): WireQuery | null {
  const aliases = record()
  for (const field of fields) {
    if (field.kind === 'star' || field.kind === 'starstar' || field.as === undefined) continue
    aliases[field.as] = field.kind === 'field' ? spellSubject(field.subject) : escapeName(field.field)
  }
  return Object.keys(aliases).length === 0 ? null : aliases
}

function spellDeep(model: Model, collection: string, fields: readonly Selection[]): WireQuery | null {
  const deep = record()
  for (const field of fields) {
    if (field.kind !== 'relation') continue
    const { target } = relationOf(model, collection, field.field)
    const node = field.fields === null ? record() : (spellDeep(model, target, field.fields) ?? record())
    const alias = field.fields === null ? null : spellAliases(field.fields)
    if (alias !== null) node['_alias'] = alias
    spellShape(model, target, field.deep, node, '_')
    if (Object.keys(node).length > 0) deep[field.as ?? field.field] = node
  }
  return Object.keys(deep).length === 0 ? null : deep
}

function spellGrouping(grouping: Grouping, wire: WireQuery): void {
  if (grouping.aggregates.length > 0) {
    const aggregate = record()
    for (const { fn, fields } of grouping.aggregates)
      aggregate[fn] = fields.map((name) => (name === '*' ? '*' : escapeName(name)))
    wire['aggregate'] = aggregate
  }
  if (grouping.groupBy.length > 0) wire['groupBy'] = grouping.groupBy.map(spellGroup)
  if (grouping.sort.length > 0) wire['sort'] = grouping.sort.map((sort) => spellGroupSort(grouping, sort))
}

function spellGroup({ path, subject }: Grouping['groupBy'][number]): string {
  return [...path.map(escapeName), spellSubject(subject)].join('.')
}

function spellGroupSort(grouping: Grouping, sort: GroupSort): string {
  const sign = sort.desc ? '-' : ''
  if (sort.by === 'group') return sign + spellGroup(grouping.groupBy[sort.index]!)
  return sort.field === null ? `${sign}count` : `${sign}${sort.fn}.${escapeName(sort.field)}`
}

export function spellFilter(model: Model, collection: string, filter: Filter): WireQuery {
  switch (filter.kind) {
    case 'and':
      return spellAnd(
        filter.items.map((item) => spellFilter(model, collection, item)),
        filter,
      )
    case 'or':
      return pair(
        '_or',
        filter.items.map((item) => spellFilter(model, collection, item)),
      )
    case 'test':
      return spellTest(model, collection, filter)
    case 'one':
      return pair(filter.field, spellTarget(model, collection, filter))
    case 'some':
      return pair(
        filter.field,
        filter.flat ? spellTarget(model, collection, filter) : pair('_some', spellTarget(model, collection, filter)),
      )
    case 'none':
      return pair(filter.field, pair('_none', spellTarget(model, collection, filter)))
    case 'exists':
      return pair(filter.field, pair(filter.op, filter.value))
    case 'member': {
      const target = tableOf(model, relationOf(model, collection, filter.field).target)
      return pair(filter.field, pair('_eq', toOperand(columnOf(target, target.key[0]!).type, filter.key, false)))
    }
    case 'any':
      return pair(`${filter.field}:${filter.target}`, spellFilter(model, filter.target, filter.filter))
    case 'bare':
      return pair(spellSubject(filter.subject), record())
    case 'constant':
      throw new Error('a constant is never sent')
  }
  throw new Error('no such filter')
}

function spellTarget(model: Model, collection: string, filter: { field: string; filter: Filter }): WireQuery {
  return spellFilter(model, relationOf(model, collection, filter.field).target, filter.filter)
}

function pair(key: string, value: Json): WireQuery {
  const object = record()
  object[key] = value
  return object
}

function spellTest(model: Model, collection: string, test: Test): WireQuery {
  const { type } = subjectType(model, collection, test.subject)
  const operands = test.operands.map(
    (operand, index) => test.variables?.[index] ?? toOperand(type, operand, test.other),
  )
  const isList = ['_in', '_nin', '_between', '_nbetween'].includes(test.op)
  const key = test.subject.fn === undefined ? test.subject.name : spellSubject(test.subject)
  return pair(key, pair(test.op, isList ? operands : operands[0]!))
}

/** Writes one object if no key would be lost, otherwise a list. */
function spellAnd(items: readonly WireQuery[], { flat, items: filters }: Extract<Filter, { kind: 'and' }>): WireQuery {
  const merged = flat ? mergeAll(items, filters) : null
  return merged ?? pair('_and', items)
}

function mergeAll(items: readonly WireQuery[], filters: readonly Filter[]): WireQuery | null {
  const merged = record()
  for (const [index, item] of items.entries()) {
    for (const key of Object.keys(item)) {
      const [known, added] = [merged[key], item[key]!]
      if (known === undefined) {
        merged[key] = added
        continue
      }
      // Two conditions on a to-many field would merge into one about the same child.
      const isColumn = filters[index]!.kind === 'test'
      const isBare = isRecord(known) && Object.keys(known).length === 0
      const both = isColumn && !isBare && isRecord(known) && isRecord(added) ? mergeTwo(known, added) : null
      if (both === null) return null
      merged[key] = both
    }
  }
  return merged
}

function mergeTwo(a: Record<string, Json>, b: Record<string, Json>): WireQuery | null {
  const isClash = Object.keys(b).some((key) => Object.hasOwn(a, key))
  return isClash ? null : Object.assign(record(), a, b)
}

/** GET with comma-separated lists, and JSON for the rest. */
export function toJsonParameters(wire: WireQuery): string {
  return Object.entries(wire)
    .map(([key, value]) => `${key}=${encodeURIComponent(spellParameter(value))}`)
    .join('&')
}

function spellParameter(value: Json): string {
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** GET with brackets; null if this form cannot express the query. */
export function toBrackets(wire: WireQuery): string | null {
  const parts: string[] = []
  const walk = (path: string, value: Json): boolean => {
    if (value === null || typeof value !== 'object') {
      parts.push(`${path}=${encodeURIComponent(String(value))}`)
      return true
    }
    const entries = Object.entries(value)
    return (
      entries.length > 0 &&
      entries.every(([key, inner]) => canBracket(value, key) && walk(`${path}[${encodeURIComponent(key)}]`, inner))
    )
  }
  return Object.entries(wire).every(([key, value]) => walk(key, value)) ? parts.join('&') : null
}

/** Brackets in a name and numeric names are parsed differently. */
function canBracket(container: Json, key: string): boolean {
  return Array.isArray(container) || !/[[\]]|^\d+$/.test(key)
}
