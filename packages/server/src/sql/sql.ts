import { sql, type RawBuilder } from 'kysely'

/** A piece of SQL: text from this program, identifiers from the catalogue, everything else as binds. */
export type Sql = RawBuilder<unknown>

export { sql }

export const column = (source: string, name: string): Sql => sql`${sql.id(source)}.${sql.id(name)}`

export const table = (schema: string, name: string): Sql => sql`${sql.id(schema)}.${sql.id(name)}`

export const list = (parts: readonly Sql[], separator: Sql = sql`, `): Sql => sql.join([...parts], separator)

/** A name that is part of the shape, as a bind. */
export const constantText = (value: string): Sql => sql`${value}::text`

export const yes: Sql = sql`true`
export const no: Sql = sql`false`

export function allOf(parts: readonly Sql[]): Sql {
  const [only] = parts
  return parts.length === 0 ? yes : parts.length === 1 && only !== undefined ? only : sql`(${list(parts, sql` and `)})`
}

export function anyOf(parts: readonly Sql[]): Sql {
  const [only] = parts
  return parts.length === 0 ? no : parts.length === 1 && only !== undefined ? only : sql`(${list(parts, sql` or `)})`
}

/** `a.x = b.x and a.y = b.y`, pair by pair. */
export const equalColumns = (
  left: string,
  leftNames: readonly string[],
  right: string,
  rightNames: readonly string[],
): Sql =>
  allOf(leftNames.map((name, index) => sql`${column(left, name)} = ${column(right, rightNames[index] ?? name)}`))
