import type { BoundBranch, BoundQuery, BoundSelection, BoundSort, BoundToAny } from '../query/bound.ts'
import type { JsonMember, ValueForm } from '../sql/dialect.ts'
import { rowCount } from '../sql/raw.ts'
import { allOf, column, constantText, equalColumns, list, sql, type Sql } from '../sql/sql.ts'
import { parameter } from '../sql/bind.ts'
import { nestedGroups } from './plan-aggregate.ts'
import { countOf, joinToAny, joinToMany, pathValue, tableOf, typed, valueOf, type Plan } from './columns.ts'
import { planConditions } from './plan-filter.ts'

/** A member of a row: its name, its value, and the form the value takes on its way out. */
export interface Member {
  readonly as: string
  readonly isCatalogueName: boolean
  readonly value: Sql
  readonly form: ValueForm
  /** Paths to the values of an object, see Cell. */
  readonly below: readonly (readonly string[])[] | null
}

/** A source of rows: a from clause with all that follows, and the name its columns go by. */
export interface Rows {
  readonly source: string
  readonly clause: Sql
}

const children = new Set<BoundSelection['kind']>(['one', 'many', 'keys', 'count', 'any'])

export const hasChildren = (query: BoundQuery) => query.select.some(({ kind }) => children.has(kind))

/** Columns that a node's own select list and its children look at. */
export function neededColumns(select: readonly BoundSelection[]): string[] {
  const names = select.flatMap((selection): readonly string[] => {
    switch (selection.kind) {
      case 'column':
      case 'function':
        return [selection.field.name]
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

export const orderBy = (sort: readonly BoundSort[], source: string, plan: Plan): Sql[] =>
  sort.flatMap((term) =>
    term.kind === 'path'
      ? [plan.dialect.orderBy(pathValue(term.path, source, term.descending, plan), term.descending)]
      : [],
  )

export function window(query: BoundQuery, more = 0): Sql {
  const limit = query.limit < 0 ? sql`` : sql` limit ${rowCount(query.limit + more)}`
  return query.offset === null ? limit : sql`${limit} offset ${parameter(query.offset, String)}::bigint`
}

/** `order by … limit … offset …` of a list. */
export function orderedWindow(query: BoundQuery, source: string, plan: Plan): Sql {
  const terms = orderBy(query.sort, source, plan)
  return terms.length === 0 ? window(query) : sql` order by ${list(terms)}${window(query)}`
}

/**
 * The rows of a list: filtered, sorted and cut first, and only then looked at by children, so that nothing nested is
 * computed for rows that are not returned.
 */
export function listRows(query: BoundQuery, base: string, from: Sql, on: readonly Sql[], plan: Plan): Rows {
  const where = allOf([...on, ...planConditions(query, base, plan)])
  const clause = sql`from ${from} where ${where}${orderedWindow(query, base, plan)}`
  if (!hasChildren(query)) return { source: base, clause }
  const source = plan.name()
  const needed = neededColumns(query.select).map((name) => column(base, name))
  return { source, clause: sql`from (select ${list(needed)} ${clause}) as ${sql.id(source)}` }
}

export function membersOf(select: readonly BoundSelection[], source: string, plan: Plan): Member[] {
  return select.map((selection) => memberOf(selection, source, plan))
}

const jsonMembers = (members: readonly Member[]): JsonMember[] =>
  members.map(({ as, isCatalogueName, value, form }) => ({ name: as, isCatalogueName, value: form.json(value) }))

/** A to-one object has the same members in every row; lists and many-to-any items do not. */
function pathsBelow(selection: BoundSelection): string[][] | null {
  if (selection.kind !== 'one') return null
  return selection.query.select.flatMap((inner) => {
    const deeper = pathsBelow(inner)
    return deeper === null ? [[inner.as]] : deeper.map((path) => [inner.as, ...path])
  })
}

function memberOf(selection: BoundSelection, source: string, plan: Plan): Member {
  return { ...valueMember(selection, source, plan), as: selection.as, below: pathsBelow(selection) }
}

function valueMember(selection: BoundSelection, source: string, plan: Plan): Omit<Member, 'as' | 'below'> {
  const { forms, formOf } = plan.dialect
  const { as } = selection
  switch (selection.kind) {
    case 'column':
      return {
        isCatalogueName: as === selection.field.name,
        value: column(source, selection.field.name),
        form: formOf(typed(selection.field)),
      }
    case 'function': {
      const { fn, field } = selection
      const form = fn === 'json' ? forms.json : forms.integer
      return { isCatalogueName: as === `${field.name}_${fn}`, value: valueOf(selection, source, plan), form }
    }
    case 'key': {
      const value = plan.dialect.joinedKey(selection.fields.map(({ name }) => column(source, name)))
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
      const on = equalColumns(base, relation.toColumns, source, relation.columns)
      return oneRow(query, base, [on], plan)
    }
    case 'many': {
      const { relation, query } = selection
      const base = plan.name()
      const { from, on } = joinToMany(relation, source, base, plan)
      if (query.aggregate !== null) return nestedGroups(query, query.aggregate, base, from, [on], plan)
      const rows = listRows(query, base, from, [on], plan)
      return dialect.jsonRows(jsonMembers(membersOf(query.select, rows.source, plan)), rows.clause)
    }
    case 'keys': {
      const { relation, query } = selection
      const base = plan.name()
      const { from, on } = joinToMany(relation, source, base, plan)
      const rows = listRows(query, base, from, [on], plan)
      return dialect.jsonValues(keyOf(query, rows.source, plan), rows.clause)
    }
    case 'any':
      return anyOf(selection.relation, selection.branches, source, plan)
  }
}

function oneRow(query: BoundQuery, base: string, on: readonly Sql[], plan: Plan): Sql {
  const where = allOf([...on, ...planConditions(query, base, plan)])
  const members = jsonMembers(membersOf(query.select, base, plan))
  return plan.dialect.jsonRow(members, sql`from ${tableOf(query.collection)} as ${sql.id(base)} where ${where}`)
}

/** The key of a row as the reply shows it: the value itself, or the parts as one text. */
function keyOf(query: BoundQuery, source: string, plan: Plan): Sql {
  const [key, ...rest] = query.collection.key
  if (key !== undefined && rest.length === 0) return plan.dialect.formOf(typed(key)).json(column(source, key.name))
  return plan.dialect.joinedKey(query.collection.key.map(({ name }) => column(source, name)))
}

/** One case per collection: the selected ones give objects, the others their key. */
function anyOf(relation: BoundToAny, branches: readonly BoundBranch[], source: string, plan: Plan): Sql {
  const stored = column(source, relation.column)
  const cases = relation.targets.map((target) => {
    const branch = branches.find(({ collection }) => collection === target)
    const when = sql`when ${constantText(target.name)} then`
    if (branch === undefined) {
      const [key] = target.key
      return sql`${when} ${key === undefined ? plan.dialect.jsonOfText(stored) : plan.dialect.jsonOfKey(stored, typed(key))}`
    }
    const base = plan.name()
    const { hasKey } = joinToAny(relation, target, source, base, plan)
    return sql`${when} ${oneRow(branch.query, base, [hasKey], plan)}`
  })
  const fallback = plan.dialect.jsonOfText(stored)
  if (cases.length === 0) return fallback
  return sql`case ${column(source, relation.collectionColumn)} ${list(cases, sql` `)} else ${fallback} end`
}
