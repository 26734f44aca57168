import type { Deep, Filter, GroupSort, Query, Selection, SortTerm, Subject, Test } from './ast.ts'
import { outputKey, subjectType } from './interpret/evaluate.ts'
import {
  columnOf,
  relationOf,
  tableOf,
  type ColumnType,
  type Json,
  type Model,
  type Relation,
} from '../database/model.ts'
import { joinKey, toOperand } from '../database/values.ts'
import { escapeName } from './wire.ts'
import { Digits, plainNumbers } from './digits.ts'
import type { GraphNames } from '../graphql-names.ts'

/** GraphQL cannot express the query: a name is missing, or the form has no equivalent. */
export class NoTwin extends Error {}

export interface Rendered {
  readonly query: string
  readonly variables: Record<string, Json>
  /** Converts the data to the rows as REST returns them. */
  readonly decode: (data: Readonly<Record<string, unknown>>) => unknown
}

interface Context {
  readonly model: Model
  readonly names: GraphNames
  readonly variables: Record<string, Json>
  readonly declared: string[]
  /** The prefix of all keys in the response. */
  readonly prefix: string
}

interface Part {
  readonly text: string
  readonly decode: (item: Readonly<Record<string, unknown>>) => Record<string, unknown>
}

const record = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>

/** Renders a list, or one item by its key. */
export function render(model: Model, names: GraphNames, query: Query, key: readonly string[] | null = null): Rendered {
  const context: Context = { model, names, variables: {}, declared: [], prefix: '' }
  const type = names.type(query.collection)
  if (key !== null)
    return renderItem(type, fieldsOf(query.fields ?? [{ kind: 'star' }], query.collection, context), context, key)
  const [field, part] =
    query.grouping === undefined
      ? [type, fieldsOf(query.fields ?? [{ kind: 'star' }], query.collection, context)]
      : [`${type}_aggregated`, groupsOf(query, context)]
  const extra = query.grouping === undefined ? [] : groupArguments(query)
  const args = argumentsOf(query, query.collection, context, extra)
  return {
    query: `query Q${declarations(context)} { root: ${field}${args} ${part.text} }`,
    variables: context.variables,
    decode: ({ root }) => (root as Readonly<Record<string, unknown>>[]).map(part.decode),
  }
}

const declarations = ({ declared }: Context): string => (declared.length === 0 ? '' : `(${declared.join(', ')})`)

/** Key parts are encoded and joined by commas; a single part is used as it is. */
function renderItem(type: string, part: Part, context: Context, key: readonly string[]): Rendered {
  context.declared.push('$id: ID!')
  context.variables['id'] = key.length === 1 ? (key[0] ?? '') : key.map(encodeURIComponent).join(',')
  return {
    query: `query Q${declarations(context)} { root: ${type}_by_id(id: $id) ${part.text} }`,
    variables: context.variables,
    decode: ({ root }) => part.decode(root as Readonly<Record<string, unknown>>),
  }
}

// arguments

function argumentsOf(shape: Deep, collection: string, context: Context, extra: readonly string[] = []): string {
  const args = [...extra]
  if (shape.filter !== undefined) {
    const name = `f${context.declared.length}`
    context.declared.push(`$${name}: ${context.names.type(collection)}_filter`)
    context.variables[name] = filterOf(shape.filter, collection, context)
    args.push(`filter: $${name}`)
  }
  if (shape.search !== undefined) args.push(`search: ${JSON.stringify(shape.search)}`)
  if (shape.sort !== undefined) args.push(`sort: ${JSON.stringify(shape.sort.map(spellSort))}`)
  for (const name of ['limit', 'offset', 'page'] as const)
    if (shape[name] !== undefined) args.push(`${name}: ${shape[name]}`)
  return args.length === 0 ? '' : `(${args.join(', ')})`
}

const spellSubject = ({ name, fn }: Subject): string =>
  fn === undefined ? escapeName(name) : `${fn}(${escapeName(name)})`

const spellSort = ({ path, subject, desc }: SortTerm): string =>
  `${desc ? '-' : ''}${[...path.map(escapeName), spellSubject(subject)].join('.')}`

// filters

const pair = (key: string, value: Json): Json => ({ [key]: value })

function nameOf(collection: string, field: string, suffix: string, { names }: Context): string {
  const name = names.field(collection, field, suffix)
  if (name === null) throw new NoTwin(`${collection}.${field}${suffix}`)
  return name
}

const isLink = (collection: string, name: string, { model }: Context): boolean => {
  const relation = model.relations.get(collection)?.get(name)
  return (relation?.kind === 'one' && relation.isColumn) || model.anys?.get(collection)?.field === name
}

function columnName(collection: string, name: string, context: Context): string {
  return nameOf(collection, name, isLink(collection, name, context) ? '_key' : '', context)
}

function filterOf(filter: Filter, collection: string, context: Context): Json {
  const inside = (field: string, inner: Filter): Json =>
    filterOf(inner, relationOf(context.model, collection, field).target, context)
  switch (filter.kind) {
    case 'and':
      return pair(
        '_and',
        filter.items.map((item) => filterOf(item, collection, context)),
      )
    case 'or':
      return pair(
        '_or',
        filter.items.map((item) => filterOf(item, collection, context)),
      )
    case 'test':
      return testOf(filter, collection, context)
    case 'one':
      return pair(nameOf(collection, filter.field, '', context), inside(filter.field, filter.filter))
    case 'some': {
      const inner = inside(filter.field, filter.filter)
      return pair(nameOf(collection, filter.field, '', context), filter.flat ? inner : pair('_some', inner))
    }
    case 'none':
      return pair(nameOf(collection, filter.field, '', context), pair('_none', inside(filter.field, filter.filter)))
    case 'exists': {
      const isEmpty = (filter.op === '_null') === filter.value
      const relation = relationOf(context.model, collection, filter.field)
      if (relation.kind === 'one')
        return pair(nameOf(collection, filter.field, '_key', context), pair('_null', isEmpty))
      return pair(nameOf(collection, filter.field, '', context), pair(isEmpty ? '_none' : '_some', {}))
    }
    case 'member': {
      const { target } = relationOf(context.model, collection, filter.field)
      const table = tableOf(context.model, target)
      const key = table.key[0] ?? ''
      const operand = toOperand(columnOf(table, key).type, filter.key, false)
      return pair(
        nameOf(collection, filter.field, '', context),
        pair(columnName(target, key, context), pair('_eq', operand)),
      )
    }
    case 'any': {
      const entry = `__${filter.target.replace(/\W/gu, '_')}`
      return pair(nameOf(collection, filter.field, entry, context), filterOf(filter.filter, filter.target, context))
    }
    case 'bare': {
      const { name, fn } = filter.subject
      if (fn !== undefined) return pair(nameOf(collection, name, '_func', context), pair(fn, {}))
      return pair(columnName(collection, name, context), {})
    }
    case 'constant':
      throw new NoTwin(filter.kind)
  }
}

const lists: ReadonlySet<string> = new Set(['_in', '_nin', '_between', '_nbetween'])

function testOf({ subject, op, operands, other }: Test, collection: string, context: Context): Json {
  const { type } = subjectType(context.model, collection, subject)
  const values = operands.map((operand) => toOperand(type, operand, other))
  const test = pair(op, lists.has(op) ? values : (values[0] ?? null))
  if (subject.fn === undefined) return pair(columnName(collection, subject.name, context), test)
  return pair(nameOf(collection, subject.name, '_func', context), pair(subject.fn, test))
}

// fields

function fieldsOf(fields: readonly Selection[], collection: string, context: Context): Part {
  const parts: string[] = []
  const decoders: ((item: Readonly<Record<string, unknown>>, result: Record<string, unknown>) => void)[] = []
  const add = (text: string, as: string, decode: (value: unknown) => unknown) => {
    const key = `${context.prefix}k${parts.length}`
    parts.push(`${key}: ${text}`)
    decoders.push((item, result) => {
      result[as] = decode(item[key])
    })
  }
  const isFollowed = fields.some(({ kind }) => kind === 'starstar')
  if (isFollowed || fields.some(({ kind }) => kind === 'star')) {
    for (const { name } of tableOf(context.model, collection).columns) {
      if (isFollowed && isLink(collection, name, context))
        addNested(relationOf(context.model, collection, name), name, [{ kind: 'star' }], {})
      else addColumn({ name }, name)
    }
  }
  for (const field of fields) if (field.kind === 'field') addColumn(field.subject, field.as ?? outputKey(field.subject))
  for (const field of fields) {
    if (field.kind === 'any') addAny(field)
    if (field.kind !== 'relation') continue
    const relation = relationOf(context.model, collection, field.field)
    const as = field.as ?? field.field
    if (field.fields !== null) addNested(relation, as, field.fields, field.deep)
    else addBare(relation, as, field.deep)
  }
  return {
    text: `{ ${parts.length === 0 ? '__typename' : parts.join(' ')} }`,
    decode: (item) => {
      const result = record()
      for (const decode of decoders) decode(item, result)
      return result
    },
  }

  /** Fields of different collections need different response keys, because their types may differ. */
  function addAny({ field, as = field, branches }: Selection & { kind: 'any' }): void {
    const inner = branches.map(({ target, fields: chosen }, index) => ({
      type: context.names.type(target),
      part: fieldsOf(chosen, target, { ...context, prefix: `${context.prefix}b${index}` }),
    }))
    const fragments = inner.map(({ type, part }) => `... on ${type} ${part.text}`)
    add(`${nameOf(collection, field, '', context)} { t: __typename ${fragments.join(' ')} }`, as, (value) => {
      if (value === null) return null
      const item = value as Readonly<Record<string, unknown>>
      return inner.find(({ type }) => type === item['t'])?.part.decode(item) ?? record()
    })
  }

  function addColumn(subject: Subject, as: string): void {
    const { type } = subjectType(context.model, collection, subject)
    if (subject.fn === undefined) add(columnName(collection, subject.name, context), as, decoderOf(type))
    else
      add(`${nameOf(collection, subject.name, '_func', context)} { v: ${subject.fn} }`, as, (value) =>
        plainNumbers((value as { v: unknown }).v),
      )
  }

  function addNested(relation: Relation, as: string, inner: readonly Selection[], deep: Deep): void {
    const part = fieldsOf(inner, relation.target, context)
    const args = argumentsOf(deep, relation.target, context)
    add(`${nameOf(collection, relation.field, '', context)}${args} ${part.text}`, as, (value) => {
      if (value === null) return null
      return Array.isArray(value)
        ? value.map((entry) => part.decode(entry as Readonly<Record<string, unknown>>))
        : part.decode(value as Readonly<Record<string, unknown>>)
    })
  }

  /** Selects keys only: the field's own for a to-one field, those of the items for a list. */
  function addBare(relation: Relation, as: string, deep: Deep): void {
    if (relation.kind === 'one') {
      const { type } = relation.isColumn
        ? subjectType(context.model, collection, { name: relation.field })
        : ({ type: 'text' } as const)
      add(nameOf(collection, relation.field, '_key', context), as, decoderOf(type))
      return
    }
    const table = tableOf(context.model, relation.target)
    const part = fieldsOf(
      table.key.map((name) => ({ kind: 'field', subject: { name } })),
      relation.target,
      context,
    )
    const args = argumentsOf(deep, relation.target, context)
    add(`${nameOf(collection, relation.field, '', context)}${args} ${part.text}`, as, (value) =>
      (value as Readonly<Record<string, unknown>>[]).map((entry) => {
        const item = part.decode(entry)
        const values = table.key.map((name) => item[name])
        if (values.length === 1) return values[0]
        return joinKey(
          table.key.map((name) => ({ ...columnOf(table, name), type: 'text' })),
          values.map(String),
        )
      }),
    )
  }
}

/** Converts a GraphQL value to its REST form. */
function decoderOf(type: ColumnType): (value: unknown) => unknown {
  return (value) => {
    if (value === null) return null
    if (type === 'integer') return typeof value === 'string' ? Number(value) : plainNumbers(value)
    if (type === 'numeric' && value instanceof Digits) return value.source
    return plainNumbers(value)
  }
}

// groups

function groupArguments({ grouping }: Query): string[] {
  if (grouping === undefined) return []
  const groups = grouping.groupBy.map(({ path, subject }) => [...path.map(escapeName), spellSubject(subject)].join('.'))
  const sortOf = (sort: GroupSort): string => {
    const sign = sort.desc ? '-' : ''
    if (sort.by === 'group') return `${sign}${groups[sort.index] ?? ''}`
    return sort.field === null ? `${sign}countAll` : `${sign}${sort.fn}.${escapeName(sort.field)}`
  }
  return [
    ...(groups.length === 0 ? [] : [`groupBy: ${JSON.stringify(groups)}`]),
    ...(grouping.sort.length === 0 ? [] : [`sort: ${JSON.stringify(grouping.sort.map(sortOf))}`]),
  ]
}

function groupsOf({ collection, grouping }: Query, context: Context): Part {
  if (grouping === undefined) throw new NoTwin('no groups')
  const table = tableOf(context.model, collection)
  const parts: string[] = ['group']
  const decoders: ((item: Readonly<Record<string, unknown>>, result: Record<string, unknown>) => void)[] = []
  for (const [index, { fn, fields }] of grouping.aggregates.entries()) {
    const named = fields.filter((name) => name !== '*')
    const hasAll = named.length < fields.length
    if (hasAll) parts.push(`n${index}: countAll`)
    if (named.length > 0)
      parts.push(
        `a${index}: ${fn} { ${named.map((name, at) => `v${at}: ${nameOf(collection, name, '', context)}`).join(' ')} }`,
      )
    // Foreign key columns appear under their `_key` name elsewhere, but are aggregated under their own name.
    decoders.push((item, result) => {
      const all = hasAll ? text(item[`n${index}`]) : undefined
      if (named.length === 0) {
        result[fn] = all
        return
      }
      const values = item[`a${index}`] as Readonly<Record<string, unknown>>
      const inner = record()
      for (const [at, name] of named.entries()) {
        const { type } = columnOf(table, name)
        const isSame = fn === 'min' || fn === 'max'
        inner[name] = isSame ? extremeOf(type)(values[`v${at}`]) : text(values[`v${at}`])
      }
      if (all !== undefined) inner['*'] = all
      result[fn] = inner
    })
  }
  return {
    text: `{ ${parts.join(' ')} }`,
    decode: (item) => {
      const result = record()
      const group = plainNumbers(item['group']) as Readonly<Record<string, unknown>> | null
      for (const [name, value] of Object.entries(group ?? {})) result[name] = value
      for (const decode of decoders) decode(item, result)
      return result
    },
  }
}

const text = (value: unknown): unknown => (value instanceof Digits ? value.source : value)

function extremeOf(type: ColumnType): (value: unknown) => unknown {
  return type === 'numeric' ? text : plainNumbers
}
