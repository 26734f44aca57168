import { ServiceError } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import type { Engine } from '../engine.ts'

/**
 * Runs the work of a request. A refusal must not rest on an old schema or old permissions, so the work is retried under
 * the newest.
 */
export async function underNewest<T>(
  engine: Pick<Engine, 'renew'>,
  actor: Actor,
  work: (actor: Actor) => T,
): Promise<T> {
  try {
    return work(actor)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'FORBIDDEN') throw error
    return work(await engine.renew(actor))
  }
}
