import type { Actor } from '../../access/actor.ts'
import type { ActorOfUser } from '../../auth/actor-of-user.ts'
import type { Engine } from '../../engine/engine.ts'
import type { LastPages } from '../../store/last-page.ts'
import type { QueryLimits } from '../../query/parse-query.ts'
import type { SystemCollection } from '../../schema/system-collection.ts'

export interface RateLimit {
  readonly points: number
  readonly duration: number
}

/** A request to simulate. */
export interface Attempt {
  readonly method: string
  /** May include a query string. */
  readonly path: string
  readonly query: Readonly<Record<string, unknown>> | null
  readonly body: unknown
  readonly address: string | null
}

export interface Outcome {
  readonly status: number
  /** The error message of a refusal. */
  readonly message: string | null
}

/** The state of one dependency, in the form of health+json. */
export interface Check {
  readonly status: 'ok' | 'warn' | 'error'
  readonly componentType: 'datastore' | 'component'
  readonly observedValue: number | boolean
  readonly observedUnit?: string
  /** The most that the value can be. */
  readonly threshold?: number
  /** Statements that wait for a connection. */
  readonly waiting?: number
}

/** Checks every dependency now. Never throws. */
export type DependencyChecks = () => Promise<Readonly<Record<string, Check>>>

/** Services that procedures use. */
export interface SystemServices {
  readonly engine: Engine
  readonly lastPages: LastPages
  readonly actorOfUser: ActorOfUser
  /** Simulates a request on behalf of an actor, as a dry run. */
  readonly attempt: (actor: Actor, request: Attempt) => Promise<Outcome>
  readonly systemCollections: readonly SystemCollection[]
  readonly limits: QueryLimits
  readonly version: string
  /** Requests allowed per client address, and in total, per duration in seconds; null: unlimited. */
  readonly rateLimit: RateLimit | null
  readonly globalRateLimit: RateLimit | null
  readonly isReady: () => boolean
  readonly isReachable: () => boolean
  readonly checkDependencies: DependencyChecks
}
