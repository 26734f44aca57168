import type { BoundFilter, BoundQuery, BoundSelection, BoundSort } from '../query/bound.ts'
import type { JsonMember, NestedRows, ValueForm } from '../sql/dialect.ts'
import { allOf, anyOf as anyCondition, column, list, sql, type Sql } from '../sql/sql.ts'
import type { Collection } from '../schema/schema.ts'
import { nestedGroups } from './plan-aggregate.ts'
import { typed } from '../schema/typed-column.ts'
import {
  countOf,
  functionOf,
  joinToAny,
  joinToMany,
  joinToOne,
  keyParts,
  masked,
  mayBeNull,
  pathValue,
  sourceOf,
  type Plan,
} from './columns.ts'
import { planConditions } from './plan-filter.ts'
import { orderByTerms, type SortTerm } from './sort-terms.ts'

/** A member of a row: its name, its value, and the output form of the value. */
export interface Member {
  readonly as: string
  /** The key of the enclosing object, which members with the same key share. */
  readonly under: string | null
  readonly isCatalogueName: boolean
  readonly value: Sql
  readonly form: ValueForm
  /** Paths to the values of an object; see Cell. */
  readonly below: readonly (readonly string[])[] | null
}

/** A source of rows, and its table alias. */
export interface Rows {
  readonly source: string
  readonly rows: NestedRows
  readonly flags: Flags
}

const children = new Set<BoundSelection['kind']>(['one', 'many', 'keys', 'count', 'any'])

export const hasChildren = (query: BoundQuery) => query.select.some(({ kind }) => children.has(kind))

/** Each rule with the name of the column that tells whether it holds for a row. */
export type Flags = ReadonlyMap<BoundFilter, string>

const noFlags: Flags = new Map()

/** The rules that decide which values of a row are visible; each is evaluated once per row. */
export function flagsOf(select: readonly BoundSelection[]): Flags {
  const flags = new Map<BoundFilter, string>()
  const add = (mask: BoundFilter) => {
    if (mask.kind === 'and') for (const part of mask.parts) add(part)
    if (mask.kind === 'or') for (const rule of mask.parts) if (!flags.has(rule)) flags.set(rule, `f${flags.size}`)
  }
  for (const { mask } of select) if (mask !== null) add(mask)
  return flags
}

export const flagColumns = (flags: Flags, source: string, plan: Plan): Sql[] =>
  [...flags].map(([rule, name]) => sql`${plan.condition(rule, source)} as ${sql.id(name)}`)

/** Whether an inner select is needed, because children reference the rows or rules have to be evaluated. */
export const needsInner = (query: BoundQuery) => hasChildren(query) || query.select.some(({ mask }) => mask !== null)

function flagged(mask: BoundFilter, flags: Flags, source: string, plan: Plan): Sql {
  const name = flags.get(mask)
  if (name !== undefined) return column(source, name)
  if (mask.kind === 'and') return allOf(mask.parts.map((part) => flagged(part, flags, source, plan)))
  if (mask.kind === 'or') return anyCondition(mask.parts.map((part) => flagged(part, flags, source, plan)))
  return plan.condition(mask, source)
}

/** Columns that the select list of a node and its children use. */
export function neededColumns(select: readonly BoundSelection[]): string[] {
  const names = select.flatMap((selection): readonly string[] => {
    switch (selection.kind) {
      case 'column':
      case 'function':
        return [selection.field.name]
      case 'constant':
        return []
      case 'key':
        return selection.fields.map(({ name }) => name)
      case 'one':
      case 'many':
      case 'keys':
      case 'count':
        return selection.relation.columns
      case 'any':
        return [selection.relation.column, selection.relation.collectionColumn]
    }
  })
  return [...new Set(names)]
}

export const sortTerms = (
  sort: readonly BoundSort[],
  source: string,
  plan: Plan,
  isBackward = false,
): readonly SortTerm[] =>
  sort.flatMap((term) =>
    term.kind === 'path'
      ? [
          {
            value: pathValue(term.path, source, term.descending, plan),
            isDescending: term.descending !== isBackward,
            mayBeNull: mayBeNull(term.path),
          },
        ]
      : [],
  )

export const orderBy = (sort: readonly BoundSort[], source: string, plan: Plan): Sql[] =>
  orderByTerms(sortTerms(sort, source, plan), plan.dialect)

export const window = (query: BoundQuery, { dialect }: Plan, more = 0): Sql =>
  dialect.window(query.limit < 0 ? null : query.limit + more, query.offset)

/**
 * The rows of a list. They are filtered, sorted and limited first, so that nested values are computed only for rows
 * that are returned.
 */
export function listRows(query: BoundQuery, base: string, from: Sql, on: readonly Sql[], plan: Plan): Rows {
  const where = allOf([...on, ...planConditions(query, base, plan)])
  const order = orderBy(query.sort, base, plan)
  const rows: NestedRows = {
    clause: sql`from ${from} where ${where}`,
    order,
    limit: query.limit < 0 ? null : query.limit,
    offset: query.offset,
  }
  if (!needsInner(query) || !plan.dialect.seesOuterRow) return { source: base, rows, flags: noFlags }
  const source = plan.name()
  const flags = flagsOf(query.select)
  const needed = [...neededColumns(query.select).map((name) => column(base, name)), ...flagColumns(flags, base, plan)]
  const ordered = order.length === 0 ? sql`` : sql` order by ${list(order)}`
  const cut = sql`select ${list(needed)} ${rows.clause}${ordered}${window(query, plan)}`
  return {
    source,
    flags,
    rows: { clause: sql`from (${cut}) as ${sql.id(source)}`, order: [], limit: null, offset: null },
  }
}

export function membersOf(
  { select, collection }: Pick<BoundQuery, 'select' | 'collection'>,
  source: string,
  plan: Plan,
  flags: Flags = noFlags,
): Member[] {
  return select.map((selection) => cutMember(memberOf(selection, source, plan, flags), selection, collection, plan))
}

/** Keys stay whole: an item is found by its key. */
function cutMember(member: Member, selection: BoundSelection, { key }: Collection, { cut, dialect }: Plan): Member {
  if (cut === null || selection.kind !== 'column') return member
  const { field } = selection
  return key.includes(field) || field.relation !== null
    ? member
    : { ...member, form: dialect.cut(member.form, typed(field), cut) }
}

const jsonMember = ({ as, isCatalogueName, value, form }: Member): JsonMember => ({
  name: as,
  isCatalogueName,
  value: form.json(value),
})

/**
 * Members of a JSON object. Members with the same `under` key become one object, at the position of the first of them.
 */
function jsonMembers(members: readonly Member[], { dialect }: Plan): JsonMember[] {
  const groups = new Map<string, JsonMember[]>()
  for (const member of members) {
    if (member.under === null) continue
    const same = groups.get(member.under)
    if (same === undefined) groups.set(member.under, [jsonMember(member)])
    else same.push(jsonMember(member))
  }
  return members.flatMap((member): JsonMember[] => {
    const { under } = member
    if (under === null) return [jsonMember(member)]
    const inside = groups.get(under)
    if (inside === undefined) return []
    groups.delete(under)
    return [{ name: under, isCatalogueName: false, value: dialect.jsonObject(inside) }]
  })
}

/** A to-one object has the same members in every row; lists and many-to-any items do not. */
function pathsBelow(selection: BoundSelection): string[][] | null {
  if (selection.kind !== 'one') return null
  return selection.query.select.flatMap((inner) => {
    const deeper = pathsBelow(inner)
    return deeper === null ? [[inner.as]] : deeper.map((path) => [inner.as, ...path])
  })
}

function memberOf(selection: BoundSelection, source: string, plan: Plan, flags: Flags): Member {
  const { mask } = selection
  const { value, ...member } = valueMember(selection, source, plan)
  const shown = mask === null ? value : sql`case when ${flagged(mask, flags, source, plan)} then ${value} end`
  const under = 'under' in selection ? selection.under : null
  return { ...member, value: shown, as: selection.as, under, below: pathsBelow(selection) }
}

function valueMember(selection: BoundSelection, source: string, plan: Plan): Omit<Member, 'as' | 'under' | 'below'> {
  const { forms } = plan.dialect
  const { as } = selection
  switch (selection.kind) {
    case 'column':
      return {
        isCatalogueName: as === selection.field.name,
        value: column(source, selection.field.name),
        form: plan.dialect.formOf(typed(selection.field), selection.form),
      }
    case 'constant':
      return {
        isCatalogueName: as === selection.name,
        value: plan.dialect.constantText(selection.text),
        form: forms.text,
      }
    case 'function': {
      const { fn, field } = selection
      const form = fn === 'json' ? forms.json : forms.integer
      return { isCatalogueName: as === `${field.name}_${fn}`, value: functionOf(selection, source, plan), form }
    }
    case 'key': {
      const value = plan.dialect.joinedKey(keyParts(selection.fields, source))
      return { isCatalogueName: false, value, form: forms.text }
    }
    case 'count': {
      const isCatalogueName = as === `${selection.name}_count`
      return { isCatalogueName, value: countOf(selection.relation, source, plan), form: forms.integer }
    }
    default:
      return {
        isCatalogueName: selection.as === selection.name,
        value: nestedOf(selection, source, plan),
        form: forms.json,
      }
  }
}

function nestedOf(
  selection: Extract<BoundSelection, { kind: 'one' | 'many' | 'keys' | 'any' }>,
  source: string,
  plan: Plan,
): Sql {
  const { dialect } = plan
  switch (selection.kind) {
    case 'one': {
      const { relation, query } = selection
      const base = plan.name()
      const { on } = joinToOne(relation, source, base, plan)
      return oneRow(query, base, [on], plan)
    }
    case 'many': {
      const { relation, query } = selection
      if (query.aggregate !== null) {
        const rowsAgain = () => {
          const row = plan.name()
          const joined = joinToMany(relation, source, row, plan)
          return { base: row, from: joined.from, on: [joined.on] }
        }
        return nestedGroups(query, query.aggregate, rowsAgain, plan)
      }
      const base = plan.name()
      const { from, on } = joinToMany(relation, source, base, plan)
      const { source: row, rows, flags } = listRows(query, base, from, [on], plan)
      return dialect.jsonRows(jsonMembers(membersOf(query, row, plan, flags), plan), rows)
    }
    case 'keys': {
      const { relation, query } = selection
      const base = plan.name()
      const { from, on } = joinToMany(relation, source, base, plan)
      const { source: row, rows } = listRows(query, base, from, [on], plan)
      return dialect.jsonValues(masked(keyOf(query, row, plan), selection.keyMask, row, plan), rows)
    }
    case 'any':
      return anyOf(selection, source, plan)
  }
}

function oneRow(query: BoundQuery, base: string, on: readonly Sql[], plan: Plan): Sql {
  const where = allOf([...on, ...planConditions(query, base, plan)])
  const members = jsonMembers(membersOf(query, base, plan), plan)
  return plan.dialect.jsonRow(members, sql`from ${sourceOf(query.collection, plan)} as ${sql.id(base)} where ${where}`)
}

/** The key of a row as the response shows it: the value itself, or the parts joined into one text. */
function keyOf(query: BoundQuery, source: string, plan: Plan): Sql {
  const [key, ...rest] = query.collection.key
  if (key !== undefined && rest.length === 0) return plan.dialect.formOf(typed(key)).json(column(source, key.name))
  return plan.dialect.jsonOfJoinedKey(keyParts(query.collection.key, source))
}

/** One CASE branch per collection: selected collections give objects, the others their key, or null if strict. */
function anyOf(
  { relation, branches, isStrict }: Extract<BoundSelection, { kind: 'any' }>,
  source: string,
  plan: Plan,
): Sql {
  const stored = column(source, relation.column)
  const cases = relation.targets.map((target) => {
    const branch = branches.find(({ collection }) => collection === target)
    const when = sql`when ${plan.dialect.constantText(target.name)} then`
    if (branch === undefined && isStrict) return sql`${when} null`
    if (branch === undefined) {
      const [key] = target.key
      return sql`${when} ${key === undefined ? plan.dialect.jsonOfText(stored) : plan.dialect.jsonOfKey(stored, typed(key))}`
    }
    const base = plan.name()
    const { hasKey } = joinToAny(relation, target, source, base, plan)
    return sql`${when} ${oneRow(branch.query, base, [hasKey], plan)}`
  })
  const fallback = isStrict ? sql`null` : plan.dialect.jsonOfText(stored)
  if (cases.length === 0) return fallback
  return sql`case ${column(source, relation.collectionColumn)} ${list(cases, sql` `)} else ${fallback} end`
}
