import type { Dialect } from '../../dialect.ts'
import { sql, type Sql } from '../../sql.ts'
import { createCut } from '../base/cut.ts'

/** Addresses are shown as texts, too. */
const prefix = (text: Sql, characters: number): Sql => sql`left(${text}::text, ${sql.lit(characters)})`

const cutValues = createCut({
  prefix,
  document: (form, characters) => ({
    text: (expression) =>
      sql`case when length(${expression}::text) > ${sql.lit(characters)} then to_json(left(${expression}::text, ${sql.lit(characters)}))::text else ${expression}::text end`,
    json: (expression) =>
      sql`case when length(${expression}::text) > ${sql.lit(characters)} then to_json(left(${expression}::text, ${sql.lit(characters)})) else (${form.json(expression)})::json end`,
  }),
})

/** The text of an interval is made of its parts, so it is cut afterwards. */
export const cut: Dialect['cut'] = (form, typed, characters) =>
  typed.column.baseType === 'interval' && !typed.isConcealed
    ? {
        ...form,
        text: (expression) => prefix(form.text(expression), characters),
        json: (expression) => prefix(form.json(expression), characters),
      }
    : cutValues(form, typed, characters)
