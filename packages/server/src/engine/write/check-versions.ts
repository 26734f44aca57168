import { sql } from '../../sql/sql.ts'
import { isCurrent } from '../../store/versions.ts'
import type { Run } from './request.ts'
import { StaleVersionError } from './stale-version.ts'

/** Throws if the write was decided under an outdated schema or outdated permissions. */
export async function checkVersions({
  schema,
  actor,
  services,
  transaction,
  seen,
}: Pick<Run, 'schema' | 'actor' | 'services' | 'transaction' | 'seen'>): Promise<void> {
  const { statements, systemSchema } = services
  const [row] = await statements.run(
    'read stamp',
    () => sql`select v.stamp from ${statements.dialect.versionTable(systemSchema)} as v`,
    [],
    transaction,
  )
  const stamp = row?.[0] ?? ''
  if (!isCurrent(stamp, schema, actor)) throw new StaleVersionError(stamp)
  seen.isCurrent = true
}
