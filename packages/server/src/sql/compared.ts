import type { Comparison, DatabaseColumn, OwnNames } from './database-schema.ts'
import { catalogueFunction, catalogueOperator, catalogueType } from './raw.ts'
import { allOf, column, sql, type Sql } from './sql.ts'

const plain: Readonly<Record<Comparison, Sql>> = {
  '=': sql`=`,
  '<': sql`<`,
  '<=': sql`<=`,
  '>': sql`>`,
  '>=': sql`>=`,
}

type Compared = Pick<DatabaseColumn, 'ownNames'> | null

/** Types with operators of their own need forms that can name an operator: no IN list, no BETWEEN. */
export const ownOperators = (of: Compared): OwnNames['operators'] => of?.ownNames?.operators ?? null

/** An operator for values of a column; `null` for values of a type of the system. */
export function comparison(name: Comparison, of: Compared): Sql {
  const operators = ownOperators(of)
  return operators === null ? plain[name] : catalogueOperator(operators[name])
}

export const compared = (left: Sql, name: Comparison, right: Sql, of: Compared): Sql =>
  sql`${left} ${comparison(name, of)} ${right}`

/** Not every type has an operator for it. */
export const different = (left: Sql, right: Sql, of: Compared): Sql =>
  ownOperators(of) === null ? sql`${left} <> ${right}` : sql`not ${left} ${comparison('=', of)} ${right}`

/** A function that belongs to the type of a column. */
export const typeFunction = (name: Sql, { ownNames }: Pick<DatabaseColumn, 'ownNames'>): Sql =>
  ownNames === undefined ? name : catalogueFunction(ownNames.schema, name)

type Columns = ReadonlyMap<string, { readonly column: DatabaseColumn }>

/**
 * `a.x = b.x and a.y = b.y`, pair by pair. The columns of `left` decide how: the other side of a relation by metadata may
 * have another type.
 */
export const equalColumns = (
  left: string,
  leftNames: readonly string[],
  leftColumns: Columns,
  right: string,
  rightNames: readonly string[],
): Sql =>
  allOf(
    leftNames.map((name, index) => {
      const stored = leftColumns.get(name)?.column ?? null
      const other = column(right, rightNames[index] ?? name)
      const isOwn = stored !== null && ownOperators(stored) !== null
      return compared(column(left, name), '=', isOwn ? sql`${other}::${catalogueType(stored.castType)}` : other, stored)
    }),
  )
