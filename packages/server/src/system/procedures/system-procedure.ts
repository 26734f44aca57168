import type { Actor } from '../../access/actor.ts'
import type { ActorOfUser } from '../../auth/actor-of-user.ts'
import type { Engine } from '../../engine/engine.ts'
import type { LastPages } from '../../engine/last-page.ts'
import type { QueryLimits } from '../../query/parse-query.ts'
import type { SystemCollection } from '../../schema/system-collection.ts'

export interface RateLimit {
  readonly points: number
  readonly duration: number
}

/** A request as it would be sent. */
export interface Attempt {
  readonly method: string
  /** With its query, if it has one. */
  readonly path: string
  readonly query: Readonly<Record<string, unknown>> | null
  readonly body: unknown
  readonly address: string | null
}

export interface Outcome {
  readonly status: number
  /** What a refusal says. */
  readonly message: string | null
}

/** What procedures work with. */
export interface SystemServices {
  readonly engine: Engine
  readonly lastPages: LastPages
  readonly actorOfUser: ActorOfUser
  /** Makes a request in the name of an actor, as a dry run. */
  readonly attempt: (actor: Actor, request: Attempt) => Promise<Outcome>
  readonly systemCollections: readonly SystemCollection[]
  readonly limits: QueryLimits
  readonly version: string
  /** Requests that one address, and all together, may make in so many seconds; null: any number. */
  readonly rateLimit: RateLimit | null
  readonly globalRateLimit: RateLimit | null
  readonly isReady: () => boolean
  readonly isReachable: () => boolean
}

export interface Call<Input> {
  readonly actor: Actor
  readonly input: Input
  readonly services: SystemServices
}

/** Something that can be asked of the service beside its data, the same whoever asks and however. */
export type Procedure<Input, Output> = (call: Call<Input>) => Promise<Output>
