import {
  invalidQuery,
  isAggregate,
  isExportFormat,
  isQueryParameter,
  metaValues,
  aggregates,
  queryParameters,
  type AggregateFunction,
  type ExportFormat,
  type MetaValue,
} from '@tain/contract'
import type { Parameter } from '../lib/parameter.ts'
import { nearest } from '../lib/nearest.ts'
import { createSpend, withoutLimit, type CostLimits } from './cost.ts'
import { parseFields, splitList } from './parse-fields.ts'
import { parseFilter, type FilterLimits } from './parse-filter.ts'
import type { Aggregate, Deep, DeepNode, NestedQuery, ReadRequest, Segment, Sort } from './query.ts'
import { parseJsonPath, parsePath, type WrittenSegment } from './segments.ts'
import { collectValues, type Values } from './values.ts'
import { asInteger, asList, asObject, asShare, asText, isObject, type WireObject } from './wire.ts'

export interface QueryLimits extends FilterLimits {
  readonly cost?: CostLimits
  readonly limitDefault: number
  /** null: no maximum. */
  readonly limitMax: number | null
}

export interface ParsedQuery extends ReadRequest {
  readonly export: ExportFormat | null
}

/** Wire JSON → IR. It does not know the schema: every error found here is a syntax error, and INVALID_QUERY. */
export function parseQuery(wire: WireObject, limits: QueryLimits): ParsedQuery {
  refuseUnknown(wire)
  const values = collectValues(limits.cost === undefined ? withoutLimit : createSpend(limits.cost))
  const alias = parseAlias(wire['alias'], values)
  const deep = parseDeep(wire['deep'], values, limits, 0)
  const nested = parseNested(wire, '', alias, values, limits)
  const cursor = wire['cursor'] === undefined ? null : asText(wire['cursor'], 'cursor')
  if (cursor !== null && (wire['offset'] !== undefined || wire['page'] !== undefined)) {
    throw invalidQuery('A cursor cannot be combined with offset or page')
  }
  const meta = parseMeta(wire['meta'])
  const format = parseExport(wire['export'])
  const seek = parseSeek(wire['seek'])
  if (seek !== null) refuseBesideSeek(wire)
  if (seek !== null && format !== null) throw invalidQuery('"seek" cannot be combined with export')
  if (nested.aggregate !== null && (cursor !== null || meta.includes('cursor')))
    throw invalidQuery('Groups have no cursor')
  if (nested.aggregate !== null && meta.includes('etag')) throw invalidQuery('Groups have no ETag')
  const context = { values, maxDepth: limits.depth, jsonDepth: limits.jsonDepth }
  const select = parseFields(wire['fields'], { alias, deep }, context)
  const cut = parseCut(wire['cut'])
  const backlink = wire['backlink'] !== 'false' && wire['backlink'] !== false
  return {
    query: { ...nested, select, backlink, alias, deep, ...(cut === null ? {} : { cut }) },
    values: values.list,
    meta,
    countUpTo: wire['count_up_to'] === undefined ? null : asInteger(wire['count_up_to'], 'count_up_to', 1),
    cursor,
    seek,
    export: format,
  }
}

export const parseSeek = (wire: unknown): number | null =>
  wire === undefined || wire === null ? null : asShare(wire, 'seek')

/** A list begins in one place, and groups are no rows. */
export function refuseBesideSeek(wire: WireObject): void {
  for (const name of ['cursor', 'offset', 'page', 'aggregate', 'groupBy'])
    if (wire[name] !== undefined && wire[name] !== null) throw invalidQuery(`"seek" cannot be combined with ${name}`)
}

function refuseUnknown(wire: WireObject): void {
  for (const name of Object.keys(wire)) {
    if (isQueryParameter(name)) continue
    const hint = nearest(name, Object.keys(queryParameters))
    throw invalidQuery(`There is no parameter "${name}"${hint === undefined ? '' : `; did you mean "${hint}"?`}`)
  }
}

/** The parameters that shape a list, at the root (`limit`) or inside deep (`_limit`). */
export function parseNested(
  wire: WireObject,
  prefix: '' | '_',
  alias: Readonly<Record<string, string>>,
  values: Values,
  limits: QueryLimits,
): NestedQuery {
  const given = (name: string) => wire[`${prefix}${name}`]
  const limit = parseLimit(given('limit'), limits)
  return {
    filter: given('filter') === undefined ? null : parseFilter(given('filter'), values, limits),
    search: parseSearch(given('search'), values),
    sort: parseSort(given('sort'), alias, values, limits),
    limit,
    offset: parseOffset(given('offset'), given('page'), limit, values),
    aggregate: parseAggregate(given('aggregate'), given('groupBy'), values, limits),
  }
}

function parseSearch(wire: unknown, values: Values): Parameter | null {
  const text = wire === undefined || wire === null ? '' : asText(wire, 'search').trim()
  if (text.includes('\u0000')) throw invalidQuery('"search" contains a NUL character')
  return text === '' ? null : values.add(text)
}

function parseLimit(wire: unknown, { limitDefault, limitMax }: QueryLimits): number {
  if (wire === undefined || wire === null) return limitMax === null ? limitDefault : Math.min(limitDefault, limitMax)
  const limit = asInteger(wire, 'limit', -1)
  if (limitMax === null) return limit
  if (limit > limitMax) throw invalidQuery(`"limit" may be at most ${limitMax}`)
  return limit === -1 ? limitMax : limit
}

function parseOffset(offset: unknown, page: unknown, limit: number, values: Values): Parameter | null {
  const skipped = offset === undefined || offset === null ? 0 : asInteger(offset, 'offset', 0)
  const number = page === undefined || page === null ? 0 : asInteger(page, 'page', 0)
  const rows = number > 0 && limit >= 0 ? (number - 1) * limit : skipped
  if (!Number.isSafeInteger(rows)) throw invalidQuery('"page" is too large')
  return rows === 0 ? null : values.add(rows)
}

/** Replaces an alias at the start of a path with its field. */
function unaliased(
  path: readonly WrittenSegment[],
  alias: Readonly<Record<string, string>>,
): readonly WrittenSegment[] {
  const [first, ...rest] = path
  if (first === undefined || first.call !== null || first.scope !== null || !Object.hasOwn(alias, first.name))
    return path
  return [...parsePath(alias[first.name] ?? first.name), ...rest]
}

function parseSort(
  wire: unknown,
  alias: Readonly<Record<string, string>>,
  values: Values,
  limits: QueryLimits,
): Sort[] | null {
  if (wire === undefined || wire === null) return null
  const terms = splitList(wire, 'sort', values.spend).map((text): Sort => {
    const descending = text.startsWith('-')
    const written = parsePath(descending ? text.slice(1) : text)
    const path = segmentsOf(unaliased(written, alias), values, limits)
    return { path, descending }
  })
  return terms.length === 0 ? null : terms
}

function segmentsOf(written: readonly WrittenSegment[], values: Values, limits: QueryLimits): Segment[] {
  const segments = written.flatMap((segment, index): Segment[] => {
    if (segment.call === null) return [{ name: segment.name, scope: segment.scope, fn: null, json: null }]
    if (index < written.length - 1) throw invalidQuery('A path cannot go on after a function')
    const { fn, path, argument } = segment.call
    const json = fn === 'json' ? values.add(parseJsonPath(argument ?? '', limits.jsonDepth)) : null
    return path.map(({ name, scope }, at) => ({
      name,
      scope,
      fn: at === path.length - 1 ? fn : null,
      json: at === path.length - 1 ? json : null,
    }))
  })
  if (segments.length > limits.depth) throw invalidQuery('Max relational depth exceeded')
  return segments
}

/** A group that is listed twice counts once. */
const distinct = (texts: readonly string[]): readonly string[] => [...new Set(texts)]

function parseAggregate(wire: unknown, groupBy: unknown, values: Values, limits: QueryLimits): Aggregate | null {
  if (wire === undefined && groupBy === undefined) return null
  const groups =
    groupBy === undefined
      ? []
      : distinct(splitList(groupBy, 'groupBy', values.spend)).map((text) => segmentsOf(parsePath(text), values, limits))
  const given = wire === undefined ? {} : asObject(wire, 'aggregate')
  const functions = Object.keys(given).flatMap((fn) => {
    if (!isAggregate(fn)) {
      const hint = nearest(fn, Object.keys(aggregates))
      throw invalidQuery(
        `There is no aggregate function "${fn}"${hint === undefined ? '' : `; did you mean "${hint}"?`}`,
      )
    }
    return aggregatedFields(fn, given[fn], values).map((name) => ({ fn, name }))
  })
  if (functions.length === 0 && groups.length === 0) throw invalidQuery('"aggregate" names no function')
  return { functions, groups }
}

function aggregatedFields(fn: AggregateFunction, wire: unknown, { spend }: Values): (string | null)[] {
  if (fn === 'countAll') return [null]
  const names = splitList(wire, `aggregate[${fn}]`, spend)
  if (names.length === 0) throw invalidQuery(`"aggregate[${fn}]" names no field`)
  return [...new Set(names)].map((text) => {
    if (text === '*') {
      if (fn === 'count') return null
      throw invalidQuery(`${fn} takes fields, not *`)
    }
    const [segment, ...rest] = parsePath(text)
    if (segment === undefined || segment.call !== null || rest.length > 0)
      throw invalidQuery(`${fn} takes a field of the collection`)
    return segment.name
  })
}

function parseAlias(wire: unknown, { spend }: Values): Record<string, string> {
  const alias: Record<string, string> = Object.create(null) as Record<string, string>
  if (wire === undefined || wire === null) return alias
  const given = asObject(wire, 'alias')
  spend('entries', Object.keys(given).length)
  for (const name of Object.keys(given)) {
    const target = asText(given[name], `alias[${name}]`)
    if (name.includes('.')) throw invalidQuery(`An alias name cannot contain a dot: "${name}"`)
    const [segment, ...rest] = parsePath(target)
    if (segment === undefined || rest.length > 0) throw invalidQuery(`An alias cannot follow a relation: "${target}"`)
    alias[name] = target
  }
  return alias
}

const deepArguments = new Set(Object.entries(queryParameters).flatMap(([name, { deep }]) => (deep ? [`_${name}`] : [])))

function parseDeep(wire: unknown, values: Values, limits: QueryLimits, depth: number): Deep {
  const deep: Record<string, DeepNode> = Object.create(null) as Record<string, DeepNode>
  if (wire === undefined || wire === null) return deep
  if (depth > limits.depth) throw invalidQuery('Max relational depth exceeded')
  const given = asObject(wire, 'deep')
  values.spend('entries', Object.keys(given).length)
  for (const name of Object.keys(given)) {
    if (deepArguments.has(name)) throw invalidQuery(`"${name}" has to stand under a relation inside deep`)
    const node = given[name]
    if (!isObject(node)) throw invalidQuery(`"deep[${name}]" has to be an object`)
    for (const key of Object.keys(node)) {
      if (!key.startsWith('_') || deepArguments.has(key) || isObject(node[key])) continue
      const hint = nearest(key, deepArguments)
      throw invalidQuery(
        `There is no argument "${key}" in deep${hint === undefined ? '' : `; did you mean "${hint}"?`}`,
      )
    }
    const alias = parseAlias(node['_alias'], values)
    deep[name] = {
      query: parseNested(node, '_', alias, values, limits),
      alias,
      deep: parseDeep(withoutArguments(node), values, limits, depth + 1),
    }
  }
  return deep
}

function withoutArguments(node: WireObject): WireObject {
  const rest: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const key of Object.keys(node)) if (!deepArguments.has(key)) rest[key] = node[key]
  return rest
}

function parseMeta(wire: unknown): MetaValue[] {
  if (wire === undefined || wire === null) return []
  const names = asList(wire).flatMap((entry) => asText(entry, 'meta').split(','))
  return [
    ...new Set(
      names.flatMap((name): MetaValue[] => {
        const known = metaValues.find((value) => value === name.trim())
        if (name.trim() === '*') return ['total_count', 'filter_count']
        if (known === undefined)
          throw invalidQuery(`There is no meta value "${name}"; known are ${metaValues.join(', ')} and *`)
        return [known]
      }),
    ),
  ]
}

/** No value has more characters. */
const MOST_CUT = 2 ** 30

function parseCut(wire: unknown): number | null {
  if (wire === undefined || wire === null) return null
  const characters = asInteger(wire, 'cut', 1)
  if (characters > MOST_CUT) throw invalidQuery(`"cut" may be at most ${MOST_CUT}`)
  return characters
}

function parseExport(wire: unknown): ExportFormat | null {
  if (wire === undefined || wire === null) return null
  const format = asText(wire, 'export')
  if (!isExportFormat(format)) throw invalidQuery(`There is no export format "${format}"`)
  return format
}
