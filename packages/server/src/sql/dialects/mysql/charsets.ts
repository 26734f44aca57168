import type { DatabaseColumn } from '../../database-schema.ts'
import { catalogueType } from '../../raw.ts'
import { sql, type Sql } from '../../sql.ts'

/** The collation is part of the cast type, see introspection. */
export const collationIn = (castType: string): string | null => / collate (\w+)/u.exec(castType)?.[1] ?? null

const charsetOf = (collation: string): string => collation.split('_', 1)[0] ?? 'utf8mb4'

/** Without an explicit collation a column would get the database's, which nothing else in a statement has. */
export const collated = (type: Sql, collation: string | null): Sql =>
  sql`${type} character set ${catalogueType(charsetOf(collation ?? 'utf8mb4'))} collate ${catalogueType(collation ?? 'utf8mb4_bin')}`

/**
 * The collation of a column whose character set may lack some characters. The server replaces such characters with
 * question marks whenever it converts a text by itself. So texts for such a column stay in utf8mb4 until they are
 * compared, or stored, which the server then refuses.
 */
export function narrowCollation({ baseType, castType }: Pick<DatabaseColumn, 'baseType' | 'castType'>): string | null {
  const collation = baseType === 'uuid' ? null : collationIn(castType)
  return collation === null || charsetOf(collation) === 'utf8mb4' ? null : collation
}

const converted = (text: Sql, collation: string): Sql =>
  sql`convert(${text} using ${catalogueType(charsetOf(collation))})`

/** Whether a text survives the conversion; NULL for NULL. */
export const survives = (text: Sql, collation: string): Sql =>
  sql`convert(${converted(text, collation)} using utf8mb4) = ${text} collate utf8mb4_bin`

/** A text as such a column compares it; NULL if the column cannot store it. */
export const inCharset = (text: Sql, collation: string): Sql =>
  sql`(if(${survives(text, collation)}, ${converted(text, collation)}, null) collate ${catalogueType(collation)})`
