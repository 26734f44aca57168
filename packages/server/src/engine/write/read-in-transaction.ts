import { between } from '../../lib/failpoint.ts'
import { VERSION } from '../plan-read.ts'
import { type Prepared, type Read, prepareRead, statementFor } from '../read.ts'
import { isCurrent } from '../../store/versions.ts'
import type { Run } from './request.ts'
import { StaleVersionError } from './stale-version.ts'

export const plain = {
  select: [],
  filter: null,
  search: null,
  sort: null,
  offset: null,
  aggregate: null,
  backlink: true,
  alias: {},
  deep: {},
}

export const prepare = (read: Read, { actor, schema, services }: Run): Prepared =>
  prepareRead(actor, read, schema, services.compileRead)

export async function ask(prepared: Prepared, { transaction, schema, services, actor, seen }: Run) {
  const rows = await between(services.failpoints, 'write.before-read', 'write.after-read', () =>
    transaction.query(statementFor(prepared)),
  )
  const stamp = rows[0]?.[VERSION] ?? ''
  if (!isCurrent(stamp, schema, actor) && !seen.isKept) throw new StaleVersionError(stamp)
  seen.isCurrent = true
  return rows
}
