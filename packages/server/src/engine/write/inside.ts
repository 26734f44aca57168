import { ServiceError } from '@tain/contract'
import { isCurrent } from '../../store/versions.ts'
import { VERSION } from '../plan-read.ts'
import { itemReply, listReply, prepareRead, statementFor, type Read } from '../read.ts'
import type { Inside } from './filters.ts'
import type { Run } from './request.ts'
import type { WriteReply, WriteRequest } from './write-request.ts'
import { StaleVersionError } from './stale-version.ts'

/** The write that others take place inside of. */
export type InsideRun = Pick<Run, 'actor' | 'schema' | 'services' | 'transaction' | 'extent' | 'depth'>

export type RunWrite = (run: Run) => Promise<WriteReply>

/** Runs work that reads and writes inside a transaction, one statement after the other, and ends with the work. */
export async function openInside<T>(
  run: InsideRun,
  runWrite: RunWrite,
  work: (inside: Inside) => Promise<T>,
): Promise<T> {
  const { inTurn, close } = createTurns()
  const ask = async (read: Read) => {
    const prepared = prepareRead(run.actor, read, run.schema, run.services.compileRead)
    const rows = await run.transaction.query(statementFor(prepared))
    const stamp = rows[0]?.[VERSION] ?? ''
    if (!isCurrent(stamp, run.schema, run.actor)) throw new StaleVersionError(stamp)
    return { prepared, rows }
  }
  const inside: Inside = {
    list: (read) =>
      inTurn(async () => {
        const { prepared, rows } = await ask(read)
        return listReply(prepared, rows).rows
      }, isOfCaller),
    item: (read) =>
      inTurn(async () => {
        const { prepared, rows } = await ask(read)
        return itemReply(prepared, rows).data
      }, isOfCaller),
    // A write that fails may have left rows behind, so nothing of the transaction can be kept.
    write: (request) =>
      inTurn(
        () => writeInside(run, request, runWrite),
        () => false,
      ),
  }
  try {
    return await work(inside)
  } finally {
    // Its error takes the place of whatever the work has made of it.
    await close()
  }
}

/** Whether the work may go on after an error: the transaction is as it was. */
const isOfCaller = (error: unknown) => error instanceof ServiceError

/** Work of one transaction, in turn. What is still under way at the end is waited for. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  let fault: { readonly error: unknown } | null = null
  let isClosed = false
  return {
    inTurn: <T>(work: () => Promise<T>, isHarmless: (error: unknown) => boolean): Promise<T> => {
      if (isClosed) return Promise.reject(new Error('The write that this belonged to has ended.'))
      const turn = last.then(async () => {
        if (fault !== null) throw fault.error
        try {
          return await work()
        } catch (error) {
          if (!isHarmless(error)) fault ??= { error }
          throw error
        }
      })
      last = turn.catch(() => undefined)
      return turn
    },
    close: async () => {
      isClosed = true
      await last
      if (fault !== null) throw fault.error
    },
  }
}

async function writeInside(run: InsideRun, request: WriteRequest, runWrite: RunWrite): Promise<WriteReply> {
  const { actor, schema, services, transaction } = run
  const watch = services.guarding.watch(actor, schema, transaction)
  const extent = run.extent === 'single' ? 'batch' : run.extent
  const reply = await runWrite({ ...run, request, watch, extent, seen: { isCurrent: false, isKept: false } })
  // Later statements of the transaction rely on the permissions that it began with.
  if ((await watch.finish()) !== null) throw new Error('An extension cannot change permissions inside a write.')
  return reply
}
