import type { GuardStatements } from '../../service/guards.ts'
import type { ServiceDialect } from '../../service/service-dialect.ts'
import { tablesIn } from '../../service/query-builder.ts'
import { sql } from '../../sql.ts'

/** An update returns no rows here, so they are read under a lock first. */
export const suspendInSteps = ({ uuidsIn }: ServiceDialect): Pick<GuardStatements, 'suspendUsers'> => ({
  suspendUsers: (schema) => {
    const tables = tablesIn(schema)
    return [
      tables.selectFrom('service_users').select('id').where('role', 'in', uuidsIn(0)).forUpdate(),
      tables
        .updateTable('service_users')
        .set({ status: sql.lit('suspended') })
        .where('role', 'in', uuidsIn(0)),
    ]
  },
})
