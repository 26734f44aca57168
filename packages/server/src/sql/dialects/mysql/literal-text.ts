import { MysqlAdapter, MysqlIntrospector, MysqlQueryCompiler } from 'kysely'
import { createCompile } from '../../compile.ts'
import type { Sql } from '../../sql.ts'

/** Triggers and prepared texts take no binds. */
class LiteralCompiler extends MysqlQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.appendImmediateValue(value)
  }
}

const compile = createCompile({
  createAdapter: () => new MysqlAdapter(),
  createIntrospector: (database) => new MysqlIntrospector(database),
  createQueryCompiler: () => new LiteralCompiler(),
})

/** A statement as text, with its values as literals. */
export const literalText = (statement: Sql): string => compile(statement).text
