import { ServiceError } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import type { RealtimeConfig } from '../config/realtime.ts'
import type { Engine } from '../engine/engine.ts'
import type { Observe } from '../observe.ts'
import type { ServedProcedures } from '../procedure.ts'
import type { QueryLimits } from '../query/parse-query.ts'
import type { CallerWatch } from './caller-watch.ts'
import type { Callers } from './callers.ts'
import { close, currentCaller, send, type Connection } from './connection.ts'
import type { Hub } from './hub.ts'

/** What messages are worked off with. */
export interface SocketServices {
  readonly engine: Engine
  readonly limits: QueryLimits
  readonly procedures: ServedProcedures
  readonly callers: Callers
  readonly watch: CallerWatch
  /** null: the service keeps no log of changes. */
  readonly hub: Hub | null
  readonly config: RealtimeConfig
  readonly observe: Observe
}

export const say = (connection: Connection, frame: string | Buffer, { config }: Pick<SocketServices, 'config'>): void =>
  send(connection, frame, config.realtimeBuffer)

/** Who speaks, with the rights of now. Credentials that have ended end the connection. */
export async function actorOf(connection: Connection, { callers }: SocketServices): Promise<Actor> {
  const caller = currentCaller(connection)
  if (caller === null) throw new ServiceError('TOKEN_EXPIRED')
  try {
    return await callers.renew(caller)
  } catch (error) {
    const hasEnded = error instanceof ServiceError && (error.status === 401 || error.status === 403)
    if (hasEnded && error.code !== 'TOKEN_EXPIRED') close(connection, 'unauthorized')
    throw error
  }
}
