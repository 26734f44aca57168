import { MASK } from '@tain/contract'
import type { FieldFunction } from '@tain/contract'
import type { Parameter } from '../lib/parameter.ts'
import type {
  BoundFilter,
  BoundPath,
  BoundStep,
  BoundToAny,
  BoundToMany,
  BoundToOne,
  BoundValue,
  Mask,
} from '../query/bound.ts'
import type { Collection, ColumnField } from '../schema/schema.ts'
import { databaseRowVersion, type Dialect, type KeyPart, type RowVersion, type TypedColumn } from '../sql/dialect.ts'
import { compared, equalColumns } from '../sql/compared.ts'
import { allOf, column, list, sql, table, type Sql } from '../sql/sql.ts'
import { typed } from '../schema/typed-column.ts'

/** Shared by the planners: the SQL dialect, a generator of table aliases, and a compiler for row conditions. */
export interface Plan {
  readonly dialect: Dialect
  /** The most characters of a text or JSON document; null: all. */
  readonly cut: number | null
  readonly name: () => string
  readonly condition: (filter: BoundFilter, source: string) => Sql
}

/** The expression in rows where the caller can see it, NULL elsewhere. */
export const masked = (expression: Sql, mask: Mask, source: string, plan: Plan): Sql =>
  mask === null ? expression : sql`case when ${plan.condition(mask, source)} then ${expression} end`

/** The conditions of an optional filter. */
const conditions = (filter: BoundFilter | null, source: string, plan: Plan): Sql[] =>
  filter === null ? [] : [plan.condition(filter, source)]

/** Key columns of the row with the alias `source`. */
export const keyParts = (fields: readonly ColumnField[], source: string): KeyPart[] =>
  fields.map((field) => ({ value: column(source, field.name), column: typed(field) }))

export const tableOf = ({ schema, table: name }: Collection): Sql => table(schema, name)

/**
 * The FROM source of a read. If documents of the collection store rows of other collections, fields that are secret
 * there now are masked in them, so that filters, sorting and grouping see no more than the response.
 */
export function sourceOf(collection: Collection, plan: Plan): Sql {
  const { kept } = collection
  if (kept === null) return tableOf(collection)
  const inner = plan.name()
  const shown = (name: string): Sql => {
    const stored = column(inner, name)
    if (!kept.documents.includes(name)) return stored
    const cases = [...kept.secrets].map(
      ([of, names]) =>
        sql`when ${column(inner, kept.by)} = ${plan.dialect.constantText(of)} then ${plan.dialect.withMasked(stored, names, MASK)}`,
    )
    return sql`case ${list(cases, sql` `)} else ${stored} end`
  }
  const columns = [...collection.columns.keys()].map((name) => sql`${shown(name)} as ${sql.id(name)}`)
  return sql`(select ${list(columns)} from ${tableOf(collection)} as ${sql.id(inner)})`
}

const equalTo = (
  { to, toColumns, columns }: Pick<BoundToOne, 'to' | 'toColumns' | 'columns'>,
  child: string,
  parent: string,
): Sql => equalColumns(child, toColumns, to.columns, parent, columns)

/** `from`, and the condition that joins the rows of a to-many relation to one parent row. */
export function joinToMany(relation: BoundToMany, parent: string, child: string, plan: Plan): { from: Sql; on: Sql } {
  const target = sql`${sourceOf(relation.to, plan)} as ${sql.id(child)}`
  const seen = conditions(relation.seen, child, plan)
  switch (relation.kind) {
    case 'many':
      return { from: target, on: allOf([equalTo(relation, child, parent), ...seen]) }
    case 'through': {
      const junction = plan.name()
      return {
        from: sql`${sourceOf(relation.junction, plan)} as ${sql.id(junction)} join ${target} on ${equalTo({ ...relation, columns: relation.farColumns }, child, junction)}`,
        on: allOf([
          equalColumns(junction, relation.nearColumns, relation.junction.columns, parent, relation.columns),
          ...conditions(relation.junctionSeen, junction, plan),
          ...seen,
        ]),
      }
    }
    case 'reverse-any': {
      const [key] = relation.from.key
      const { any, columns } = relation
      const isOurs = sql`${column(child, any.collectionColumn)} = ${plan.dialect.constantText(relation.from.name)}`
      if (key === undefined || columns.length !== 1) return { from: target, on: sql`false` }
      const stored = plan.dialect.keyFromText(column(child, any.column), typed(key))
      return { from: target, on: allOf([isOurs, compared(stored, '=', column(parent, key.name), key.column), ...seen]) }
    }
  }
}

export function countOf(relation: BoundToMany, parent: string, plan: Plan): Sql {
  const child = plan.name()
  const { from, on } = joinToMany(relation, parent, child, plan)
  return sql`(select count(*) from ${from} where ${on})`
}

export const functionOf = (
  { fn, field, path }: { readonly fn: FieldFunction; readonly field: ColumnField; readonly path: Parameter | null },
  source: string,
  plan: Plan,
): Sql => plan.dialect.call(fn, column(source, field.name), typed(field), path)

/** The value of a column, function or count of the row with the alias `source`. */
export function valueOf(value: BoundValue, source: string, plan: Plan): Sql {
  switch (value.kind) {
    case 'column':
      return masked(column(source, value.field.name), value.mask, source, plan)
    case 'function':
      return masked(functionOf(value, source, plan), value.mask, source, plan)
    case 'count':
      return masked(countOf(value.relation, source, plan), value.mask, source, plan)
  }
}

export const columnOf = (value: BoundValue): TypedColumn | null => (value.kind === 'column' ? typed(value.field) : null)

export const isInsideJson = (value: BoundValue) => value.kind === 'function' && value.fn === 'json'

/**
 * Changes whenever the stored row does: the database's own row version where there is one, else a hash of all columns.
 */
export function rowVersionOf(
  { kind, columns, isWhollyReadable, kept }: Collection,
  source: string,
  dialect: Dialect,
): RowVersion {
  const hasMark = (kind === 'table' || kind === 'partitioned') && kept === null
  // The row version belongs to the whole row: a database role that can read only some columns cannot read it.
  if (hasMark && isWhollyReadable && dialect.rowVersion !== null) return databaseRowVersion(dialect.rowVersion(source))
  return dialect.rowHash([...columns].map(([name, field]) => ({ value: column(source, name), column: field.column })))
}

/** Whether a value can be NULL: always, except for unmasked NOT NULL columns of the row itself. */
export const mayBeNull = ({ steps, value }: BoundPath): boolean =>
  steps.length > 0 || value.kind !== 'column' || value.mask !== null || value.field.column.isNullable

/** A value reached over relations. Across a to-many step, it is the first value in the requested sort direction. */
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
  return plan.dialect.firstOf(inner, sql`from ${from} where ${on}`, descending)
}

function joinStep(step: BoundStep, parent: string, child: string, plan: Plan): { from: Sql; on: Sql } {
  const mayFollow = conditions(step.mask, parent, plan)
  switch (step.kind) {
    case 'many': {
      const { from, on } = joinToMany(step.relation, parent, child, plan)
      return { from, on: allOf([on, ...mayFollow]) }
    }
    case 'one': {
      const { from, on } = joinToOne(step.relation, parent, child, plan)
      return { from, on: allOf([on, ...mayFollow]) }
    }
    case 'any': {
      const { from, isOurs, hasKey } = joinToAny(step.relation, step.target, parent, child, plan)
      return { from, on: allOf([isOurs, hasKey, ...mayFollow]) }
    }
  }
}

/** The row that a to-one relation points to, if the caller can see it. */
export function joinToOne(relation: BoundToOne, parent: string, child: string, plan: Plan): { from: Sql; on: Sql } {
  return {
    from: sql`${sourceOf(relation.to, plan)} as ${sql.id(child)}`,
    on: allOf([equalTo(relation, child, parent), ...conditions(relation.seen, child, plan)]),
  }
}

/** The row of one collection that a many-to-any column points at. */
export function joinToAny(
  relation: BoundToAny,
  target: Collection,
  parent: string,
  child: string,
  plan: Plan,
): { from: Sql; isOurs: Sql; hasKey: Sql } {
  const from = sql`${sourceOf(target, plan)} as ${sql.id(child)}`
  const isOurs = sql`${column(parent, relation.collectionColumn)} = ${plan.dialect.constantText(target.name)}`
  const stored = column(parent, relation.column)
  const [key, ...rest] = target.key
  if (key === undefined) return { from, isOurs, hasKey: sql`false` }
  const seen = conditions(relation.seen.get(target) ?? null, child, plan)
  const isIt =
    rest.length === 0
      ? compared(column(child, key.name), '=', plan.dialect.keyFromText(stored, typed(key)), key.column)
      : sql`${plan.dialect.joinedKey(keyParts(target.key, child))} = ${stored}`
  return { from, isOurs, hasKey: allOf([isIt, ...seen]) }
}
