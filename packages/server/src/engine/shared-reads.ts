import type { Actor } from '../access/actor.ts'
import type { Prepared } from './read.ts'
import type { Asked, ReadServices } from './run-read.ts'

/**
 * Whether a response is the same for everybody who sends no credentials, wherever they are, until a row is written: it
 * shows and tests rows of plain tables, the public may read them from any address, and the time plays no part. The actor
 * is the one that the rows were read for, whose permissions may be newer than those at the start of the request.
 */
const isShared = ({ compiled, isOfNow }: Prepared, actor: Actor): boolean =>
  actor.user === null &&
  actor.role === null &&
  !actor.isAdmin &&
  !actor.dependsOnAddress &&
  compiled.collections !== null &&
  !isOfNow

export const markShared = <T extends object>(
  asked: Asked<T>,
  prepared: Prepared,
  actor: Actor,
  { tellsShared }: Pick<ReadServices, 'tellsShared'>,
): Asked<T> =>
  tellsShared && isShared(prepared, actor) ? { ...asked, finish: () => ({ ...asked.finish(), isShared: true }) } : asked
