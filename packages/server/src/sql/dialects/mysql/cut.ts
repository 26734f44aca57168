import { sql, type Sql } from '../../sql.ts'
import { createCut } from '../base/cut.ts'

const document = (text: Sql, characters: number): Sql =>
  sql`if(char_length(${text}) > ${sql.lit(characters)}, json_quote(left(${text}, ${sql.lit(characters)})), ${text})`

export const cut = createCut({
  prefix: (text, characters) => sql`left(${text}, ${sql.lit(characters)})`,
  document: (form, characters) => ({
    text: (expression) => document(form.text(expression), characters),
    json: (expression) => document(form.json(expression), characters),
  }),
})
