import { sql, type Sql } from '../../sql.ts'
import { createCut } from '../base/cut.ts'

const document = (text: Sql, characters: number): Sql =>
  sql`iif(typeof(${text}) = 'text' and length(${text}) > ${sql.lit(characters)}, json_quote(substr(${text}, 1, ${sql.lit(characters)})), ${text})`

export const cut = createCut({
  prefix: (text, characters) => sql`substr(${text}, 1, ${sql.lit(characters)})`,
  document: (form, characters) => ({
    text: (expression) => document(form.text(expression), characters),
    json: (expression) => document(form.json(expression), characters),
  }),
})
