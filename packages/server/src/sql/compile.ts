import { createQueryId, DummyDriver, Kysely, type Dialect as KyselyDialect, type RootOperationNode } from 'kysely'
import type { Parameter } from '../lib/parameter.ts'
import { isPlaceholder, type Placeholder } from './bind.ts'
import type { Bind } from './driver.ts'
import type { Query } from './sql.ts'

/** SQL text and its bind values in order: parameters or constants. */
export interface Compiled {
  readonly text: string
  readonly binds: readonly (Placeholder | Bind)[]
}

export type Compile = (query: Query) => Compiled

/** A compiler for one Kysely dialect, without a database connection. */
export function createCompile(dialect: Omit<KyselyDialect, 'createDriver'>): Compile {
  const compiler = new Kysely<unknown>({
    dialect: {
      createAdapter: () => dialect.createAdapter(),
      createIntrospector: (database) => dialect.createIntrospector(database),
      createQueryCompiler: () => dialect.createQueryCompiler(),
      createDriver: () => new DummyDriver(),
    },
  })
  const executor = compiler.getExecutor()
  return (query) => {
    const { sql, parameters } = executor.compileQuery(query.toOperationNode() as RootOperationNode, createQueryId())
    return { text: sql, binds: parameters.map(bindOf) }
  }
}

function bindOf(value: unknown): Placeholder | Bind {
  if (isPlaceholder(value) || typeof value === 'string' || value === null) return value
  throw new TypeError(`a statement was built with a ${typeof value} in place of a bind`)
}

/** The bind values of one execution: constants unchanged, parameters from the request's values. */
export function bindValues(binds: readonly (Placeholder | Bind)[], valueOf: (parameter: Parameter) => unknown): Bind[] {
  return binds.map((bind) => (isPlaceholder(bind) ? bind.encode(valueOf(bind.parameter)) : bind))
}
