import type { BoundPath, BoundStep, BoundToMany, BoundValue } from '../query/bound.ts'
import type { Collection, ColumnField } from '../schema/schema.ts'
import type { Dialect, TypedColumn } from '../sql/dialect.ts'
import { allOf, column, constantText, equalColumns, sql, table, type Sql } from '../sql/sql.ts'

/** What the planners share: a dialect's words and a supply of names for tables. */
export interface Plan {
  readonly dialect: Dialect
  readonly name: () => string
}

export function startPlan(dialect: Dialect): Plan {
  let count = 0
  return {
    dialect,
    name() {
      count += 1
      return `t${count}`
    },
  }
}

const typedColumns = new WeakMap<ColumnField, TypedColumn>()

/** A field as dialects see it; made once, because writes ask for every value. */
export function typed(field: ColumnField): TypedColumn {
  const known = typedColumns.get(field)
  if (known !== undefined) return known
  const { name, type, column: stored, specials } = field
  const made: TypedColumn = { name, type, column: stored, isConcealed: specials.includes('conceal') }
  typedColumns.set(field, made)
  return made
}

export const tableOf = ({ schema, table: name }: Collection): Sql => table(schema, name)

/** `from` and the condition that ties the rows of a to-many relation to one row of their parent. */
export function joinToMany(relation: BoundToMany, parent: string, child: string, plan: Plan): { from: Sql; on: Sql } {
  const target = sql`${tableOf(relation.to)} as ${sql.id(child)}`
  switch (relation.kind) {
    case 'many':
      return { from: target, on: equalColumns(child, relation.toColumns, parent, relation.columns) }
    case 'through': {
      const junction = plan.name()
      return {
        from: sql`${tableOf(relation.junction)} as ${sql.id(junction)} join ${target} on ${equalColumns(child, relation.toColumns, junction, relation.farColumns)}`,
        on: equalColumns(junction, relation.nearColumns, parent, relation.columns),
      }
    }
    case 'reverse-any': {
      const [key] = relation.from.key
      const { any, columns } = relation
      const isOurs = sql`${column(child, any.collectionColumn)} = ${constantText(relation.from.name)}`
      if (key === undefined || columns.length !== 1) return { from: target, on: sql`false` }
      const stored = plan.dialect.keyFromText(column(child, any.column), typed(key))
      return { from: target, on: allOf([isOurs, sql`${stored} = ${column(parent, key.name)}`]) }
    }
  }
}

export function countOf(relation: BoundToMany, parent: string, plan: Plan): Sql {
  const child = plan.name()
  const { from, on } = joinToMany(relation, parent, child, plan)
  return sql`(select count(*) from ${from} where ${on})`
}

/** The value of a column, function or count, of the row that `source` stands for. */
export function valueOf(value: BoundValue, source: string, plan: Plan): Sql {
  switch (value.kind) {
    case 'column':
      return column(source, value.field.name)
    case 'function':
      return plan.dialect.call(value.fn, column(source, value.field.name), typed(value.field), value.path)
    case 'count':
      return countOf(value.relation, source, plan)
  }
}

export const columnOf = (value: BoundValue): TypedColumn | null => (value.kind === 'column' ? typed(value.field) : null)

export const isInsideJson = (value: BoundValue) => value.kind === 'function' && value.fn === 'json'

/** A value reached over relations. Over a to-many step it is the first one in the order asked for. */
export function pathValue({ steps, value }: BoundPath, source: string, descending: boolean, plan: Plan): Sql {
  const [step, ...rest] = steps
  if (step === undefined) {
    const expression = valueOf(value, source, plan)
    return isInsideJson(value)
      ? plan.dialect.jsonSortKey(expression)
      : plan.dialect.sortKey(expression, columnOf(value))
  }
  const next = plan.name()
  const { from, on } = joinStep(step, source, next, plan)
  const inner = pathValue({ steps: rest, value }, next, descending, plan)
  if (step.kind !== 'many') return sql`(select ${inner} from ${from} where ${on})`
  return sql`(select ${inner} as k from ${from} where ${on} order by ${plan.dialect.orderBy(sql`1`, descending)} limit 1)`
}

function joinStep(step: BoundStep, parent: string, child: string, plan: Plan): { from: Sql; on: Sql } {
  switch (step.kind) {
    case 'many':
      return joinToMany(step.relation, parent, child, plan)
    case 'one':
      return {
        from: sql`${tableOf(step.relation.to)} as ${sql.id(child)}`,
        on: equalColumns(child, step.relation.toColumns, parent, step.relation.columns),
      }
    case 'any': {
      const { from, isOurs, hasKey } = joinToAny(step.relation, step.target, parent, child, plan)
      return { from, on: allOf([isOurs, hasKey]) }
    }
  }
}

/** The row of one collection that a many-to-any column points at. */
export function joinToAny(
  relation: { readonly column: string; readonly collectionColumn: string },
  target: Collection,
  parent: string,
  child: string,
  plan: Plan,
): { from: Sql; isOurs: Sql; hasKey: Sql } {
  const from = sql`${tableOf(target)} as ${sql.id(child)}`
  const isOurs = sql`${column(parent, relation.collectionColumn)} = ${constantText(target.name)}`
  const stored = column(parent, relation.column)
  const [key, ...rest] = target.key
  if (key === undefined) return { from, isOurs, hasKey: sql`false` }
  if (rest.length === 0)
    return { from, isOurs, hasKey: sql`${column(child, key.name)} = ${plan.dialect.keyFromText(stored, typed(key))}` }
  const joined = plan.dialect.joinedKey(target.key.map(({ name }) => column(child, name)))
  return { from, isOurs, hasKey: sql`${joined} = ${stored}` }
}
