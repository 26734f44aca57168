import { forbidden } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import type { Schema } from '../schema/schema.ts'
import type { Database } from '../sql/database.ts'
import type { CompileRead } from './compile-read.ts'
import { prepareRead, statementFor, type Read } from './read.ts'

/** The statement of a read and the database's plan for it. */
export interface Explanation {
  /** With placeholders in place of values. */
  readonly sql: string
  /** In the form of the database. */
  readonly plan: unknown
}

/** Only for administrators: a plan tells about tables, rules and the number of rows. The statement is not run. */
export async function explainRead(
  actor: Actor,
  read: Read,
  schema: Schema,
  { compileRead, database }: { readonly compileRead: CompileRead; readonly database: Database },
): Promise<Explanation> {
  if (!actor.isAdmin) throw forbidden()
  const { queryPlan } = database.dialect
  const statement = statementFor(prepareRead(actor, read, schema, compileRead))
  const rows = await database.driver.query(queryPlan.explain(statement))
  return { sql: statement.text, plan: queryPlan.read(rows) }
}
