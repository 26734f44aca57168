import type { TypedColumn, ValueForm } from '../../dialect.ts'
import { list, sql, type Sql } from '../../sql.ts'
import { jsonOfArray, readArray } from './array-text.ts'
import { fieldTypeOfBase } from './types.ts'

/** The elements of an array, described as a column. */
export function elementOf({ name, column, isConcealed }: TypedColumn): TypedColumn {
  const baseType = column.elementType ?? 'unknown'
  const element = { ...column, baseType, elementType: null, enumValues: null, maxLength: null, numericPrecision: null }
  return { name, type: fieldTypeOfBase(baseType), column: element, isConcealed }
}

/** Types that have the same JSON form inside an array as alone. */
const plain = new Set(
  'int2 int4 float4 float8 bool text varchar bpchar name citext uuid date json jsonb interval inet cidr macaddr'.split(
    ' ',
  ),
)

/** Types that responses show in a different form than the database prints. */
const reshaped = new Set(['timestamptz', 'timestamp', 'time', 'bytea'])

const asJson: ValueForm = {
  text: (expression) => sql`array_to_json(${expression})`,
  json: (expression) => expression,
  write: (text) => text,
}

/** For numbers that JSON would round, ranges, composite types and similar. */
const asTexts: ValueForm = {
  text: (expression) => sql`array_to_json(${expression}::text[])`,
  json: (expression) => sql`${expression}::text[]`,
  write: (text) => text,
}

export function arrayForm(column: TypedColumn, formOf: (element: TypedColumn) => ValueForm): ValueForm {
  const element = elementOf(column)
  const { baseType } = element.column
  if (plain.has(baseType)) return asJson
  if (!reshaped.has(baseType)) return asTexts
  const form = formOf(element)
  return {
    text: (expression) => expression,
    json: (expression) => jsonOfElements(expression, form),
    write: (text) => jsonOfArray(readArray(text, baseType), form.write),
  }
}

const DIMENSIONS = [1, 2, 3, 4, 5, 6] as const

/** The number of elements in a list of that dimension; NULL if the array has no such dimension. */
const sizeOf = (dimension: number): Sql => {
  const lengths = DIMENSIONS.filter((each) => each > dimension).map(
    (each) => sql`coalesce(array_length(s.a, ${sql.lit(each)}), 1)`,
  )
  return list([sql`array_length(s.a, ${sql.lit(dimension)})`, ...lengths], sql` * `)
}

/**
 * Elements come in one sequence, whatever the dimensions. A list of a dimension begins or ends wherever its size
 * divides the number of elements so far.
 */
const brackets = (bracket: Sql, position: Sql): Sql =>
  sql`repeat(${bracket}, ${list(
    DIMENSIONS.map((dimension) => sql`case ${position} % (${sizeOf(dimension)}) when 0 then 1 else 0 end`),
    sql` + `,
  )})`

const jsonOfElements = (expression: Sql, form: ValueForm): Sql =>
  sql`(select case when s.a is not null then coalesce((
      select string_agg(${brackets(sql`'['`, sql`(u.n - 1)`)} || coalesce(to_json(${form.json(sql`u.e`)})::text, 'null') || ${brackets(sql`']'`, sql`u.n`)}, ',' order by u.n)
      from unnest(s.a) with ordinality as u (e, n)), '[]')::json end from (select ${expression} as a) s)`
