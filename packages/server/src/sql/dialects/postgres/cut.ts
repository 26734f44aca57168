import { sql } from '../../sql.ts'
import { createCut } from '../base/cut.ts'

export const cut = createCut({
  // Addresses and intervals are shown as texts, too.
  prefix: (text, characters) => sql`left(${text}::text, ${sql.lit(characters)})`,
  document: (form, characters) => ({
    text: (expression) =>
      sql`case when length(${expression}::text) > ${sql.lit(characters)} then to_json(left(${expression}::text, ${sql.lit(characters)}))::text else ${expression}::text end`,
    json: (expression) =>
      sql`case when length(${expression}::text) > ${sql.lit(characters)} then to_json(left(${expression}::text, ${sql.lit(characters)})) else (${form.json(expression)})::json end`,
  }),
})
