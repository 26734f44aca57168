import { typeFunction } from '../../compared.ts'
import { sql, type Sql } from '../../sql.ts'
import { searched, type Side, type TextMatch } from './operators.ts'

export const escapeLike = (text: string) => text.replace(/[\\%_]/gu, '\\$&')

const patterns: Readonly<Record<TextMatch['at'], (text: string) => string>> = {
  anywhere: (text) => `%${escapeLike(text)}%`,
  start: (text) => `${escapeLike(text)}%`,
  end: (text) => `%${escapeLike(text)}`,
}

/** Text operators for databases whose LIKE heeds case. `cast` gives the pattern the type of the column. */
export const matchLike =
  <S extends Side>(cast: (pattern: Sql, side: S) => Sql) =>
  ({ at, ignoresCase, isNegated }: TextMatch) =>
  (side: S): Sql => {
    const pattern = cast(searched(side, patterns[at]), side)
    const like = isNegated ? sql`not like` : sql`like`
    return ignoresCase ? sql`lower(${side.text}) ${like} lower(${pattern})` : sql`${side.text} ${like} ${pattern}`
  }

export const likePattern = (at: TextMatch['at']) => patterns[at]

/** `intersects` with an operand that is GeoJSON text. */
export const intersects = <S extends Side>(cast: (pattern: Sql, side: S) => Sql) => {
  const test = (side: S): Sql => {
    const named = (name: Sql) => typeFunction(name, side.column ?? {})
    return sql`${named(sql`st_intersects`)}(${side.left}, ${named(sql`st_geomfromgeojson`)}(${cast(searched(side, escapeLike), side)}))`
  }
  return { _intersects: test, _nintersects: (side: S): Sql => sql`not ${test(side)}` }
}
