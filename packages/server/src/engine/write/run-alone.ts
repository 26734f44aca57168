import { ServiceError, ServiceErrors } from '@tain/contract'
import { DatabaseError, type Transaction } from '../../sql/driver.ts'
import { isLostRace, isRefusal, contractError } from './refusals.ts'
import type { Run } from './request.ts'
import type { WriteReply } from './write-request.ts'
import { runWrite } from './write.ts'

/** A write that is rolled back by itself if it is refused; the rest of the transaction goes on. */
export async function runAlone(run: Run, tries: number): Promise<WriteReply> {
  const { transaction, request, schema, actor, services } = run
  const { savepoint } = services.statements.dialect
  await transaction.query(savepoint.make)
  try {
    const reply = await runWrite(run)
    await transaction.query(savepoint.release)
    return reply
  } catch (error) {
    if (!isRefusal(error) || isUnavailable(error)) throw error
    if (error instanceof DatabaseError && isLostRace(error, [request], tries)) throw error
    await transaction.query(savepoint.back)
    const query: Transaction['query'] = async (statement) => {
      try {
        return await transaction.query(statement)
      } catch (failure) {
        await transaction.query(savepoint.back)
        throw failure
      }
    }
    const refusal =
      error instanceof DatabaseError ? await contractError(error, request, schema, actor, services, { query }) : error
    await transaction.query(savepoint.release)
    return { rows: [], isHidden: false, rowVersion: null, refusal: errorsIn(refusal) }
  }
}

/** Concerns the whole transaction. */
const isUnavailable = (error: unknown) => error instanceof ServiceError && error.status >= 500

function errorsIn(refusal: unknown): readonly ServiceError[] {
  if (refusal instanceof ServiceErrors) return refusal.errors
  return refusal instanceof ServiceError ? [refusal] : []
}
