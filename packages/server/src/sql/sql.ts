import { sql, type OperationNodeSource, type RawBuilder } from 'kysely'

/** An SQL fragment: text from this program, identifiers from the catalogue, everything else as bind values. */
export type Sql = RawBuilder<unknown>

/** A whole statement: a fragment, or a query of the query builder. */
export type Query = OperationNodeSource

/** One statement, or several in order on one connection where one is not enough. The result is the rows of all. */
export type Steps = Query | readonly Query[]

const isSeveral = (steps: Steps): steps is readonly Query[] => Array.isArray(steps)

export const stepsOf = (steps: Steps): readonly Query[] => (isSeveral(steps) ? steps : [steps])

export { sql }

export const column = (source: string, name: string): Sql => sql`${sql.id(source)}.${sql.id(name)}`

export const table = (schema: string, name: string): Sql => sql`${sql.id(schema)}.${sql.id(name)}`

export const list = (parts: readonly Sql[], separator: Sql = sql`, `): Sql => sql.join([...parts], separator)

export const yes: Sql = sql`true`
export const no: Sql = sql`false`

export function allOf(parts: readonly Sql[]): Sql {
  const [only] = parts
  return parts.length === 0 ? yes : parts.length === 1 && only !== undefined ? only : chained(parts, sql` and `)
}

export function anyOf(parts: readonly Sql[]): Sql {
  const [only] = parts
  return parts.length === 0 ? no : parts.length === 1 && only !== undefined ? only : chained(parts, sql` or `)
}

/** Databases parse a chain of conditions into a tree as deep as the chain is long, and limit the depth. */
const LONGEST_CHAIN = 100

function chained(parts: readonly Sql[], separator: Sql): Sql {
  if (parts.length <= LONGEST_CHAIN) return sql`(${list(parts, separator)})`
  const size = Math.ceil(parts.length / LONGEST_CHAIN)
  const groups = Array.from({ length: Math.ceil(parts.length / size) }, (_, index) =>
    chained(parts.slice(index * size, (index + 1) * size), separator),
  )
  return sql`(${list(groups, separator)})`
}
