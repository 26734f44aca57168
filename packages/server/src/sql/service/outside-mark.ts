import { placeholder } from '../bind.ts'
import type { MarkStatements } from '../outside.ts'
import { sql, table } from '../sql.ts'

const head = (schema: string) => table(schema, 'service_event_head')
const given = (parameter: number) => placeholder(parameter, String)

export const markStatements: MarkStatements = {
  mark: (schema) => sql`select mark from ${head(schema)}`,
  moveMark: (schema) => sql`update ${head(schema)} set mark = ${given(0)} where coalesce(mark, '') = ${given(1)}`,
  setMark: (schema) => sql`update ${head(schema)} set mark = ${given(0)}`,
}
