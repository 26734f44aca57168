import { ServiceError, ServiceErrors } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import type { Schema } from '../../schema/schema.ts'
import { DatabaseError, type Driver } from '../../sql/driver.ts'
import { isRefused } from '../../sql/faults.ts'
import { withField } from './blamed-value.ts'
import { writeFault } from './faults.ts'
import type { WriteServices } from './request.ts'
import type { WriteRequest } from './write-request.ts'

export const MAX_TRIES = 6
const MAX_UPSERT_TRIES = 3

export const isRefusal = (error: unknown): boolean =>
  error instanceof ServiceError ||
  error instanceof ServiceErrors ||
  (error instanceof DatabaseError && isRefused(error.fault))

/** A retried upsert finds a row that another request has created meanwhile. A real conflict fails every retry. */
export const isLostRace = ({ fault }: DatabaseError, requests: readonly WriteRequest[], tries: number): boolean =>
  (fault === 'conflict' && tries < MAX_TRIES) ||
  (fault === 'unique' && tries < MAX_UPSERT_TRIES && requests.some(({ mutation }) => mutation.kind === 'upsert'))

/** The error of the contract for what the database has refused. */
export async function contractError(
  error: DatabaseError,
  request: WriteRequest | undefined,
  schema: Schema,
  actor: Actor,
  { statements, showsRaised }: WriteServices,
  driver: Pick<Driver, 'query'>,
): Promise<ServiceError> {
  const named =
    request === undefined
      ? error
      : await withField(error, request.mutation, schema, statements, driver).catch(() => error)
  const indexColumns = async (schemaName: string, index: string) => {
    const rows = await driver.query(statements.dialect.indexColumns(schemaName, index))
    return rows.map(([name]) => name ?? '')
  }
  return writeFault(named, { schema, actor, indexColumns, showsRaised })
}
