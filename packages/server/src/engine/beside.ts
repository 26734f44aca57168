import type { Actor } from '../access/actor.ts'
import type { Parameter } from '../lib/parameter.ts'
import { bindValues } from '../sql/compile.ts'
import type { Dialect } from '../sql/dialect.ts'
import { DatabaseError, type Row, type Statement } from '../sql/driver.ts'
import type { Sql } from '../sql/sql.ts'
import { ownValues, type Read } from './read.ts'

/** Statements beside the one of a read: they have the values of its request and of the rules that apply to it. */
export interface Beside {
  readonly statementOf: (query: Sql, values?: ReadonlyMap<Parameter, unknown>) => Statement
  readonly run: (query: Sql, values?: ReadonlyMap<Parameter, unknown>) => Promise<readonly Row[]>
}

export function createBeside(
  read: Read,
  actor: Actor,
  { compile }: Dialect,
  send: (statement: Statement) => Promise<readonly Row[]>,
): Beside {
  const own = ownValues(read, actor)
  const statementOf: Beside['statementOf'] = (query, values) => {
    const { text, binds } = compile(query)
    const valueOf = (parameter: Parameter) => (values?.has(parameter) === true ? values.get(parameter) : own(parameter))
    return { text, values: bindValues(binds, valueOf) }
  }
  return { statementOf, run: (query, values) => send(statementOf(query, values)).catch(withoutPlace) }
}

/** The place of a bind value says nothing here: it belongs to another statement than the one of the read. */
function withoutPlace(error: unknown): never {
  if (!(error instanceof DatabaseError) || error.details === undefined) throw error
  const { bind: _, ...details } = error.details
  throw new DatabaseError(error.fault, error.message, error.databaseCode, { cause: error, details })
}
