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

/** What may be uploaded. */
export interface UploadFacts {
  readonly types: readonly string[]
  /** null: any size. */
  readonly size: number | null
  readonly isResumable: boolean
}

/** How clients of sockets connect; null: there is no such socket. */
export interface SocketFacts {
  readonly rest: SocketAddress | null
  readonly graphql: SocketAddress | null
  /** Seconds between two pings; null: there are none. */
  readonly heartbeat: number | null
}

export interface SocketAddress {
  readonly authentication: string
  readonly path: string
}

/** How writes of other programs are heard. */
export interface OutsideFacts {
  readonly outside: 'logical' | 'triggers' | 'none'
  /** Milliseconds between a write and its place in the log; null: it is not known. */
  readonly lag: number | null
  readonly slot: { readonly state: string; readonly behind: number | null } | null
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
  /** null: there are no sockets. */
  readonly sockets: SocketFacts | null
  /** Told to administrators. */
  readonly outside: () => Promise<OutsideFacts>
  readonly limits: QueryLimits
  readonly version: string
  /** Requests allowed per client address, and in total, per duration in seconds; null: unlimited. */
  /** null: there are no files, because the service only reads. */
  readonly uploads: UploadFacts | null
  readonly rateLimit: RateLimit | null
  readonly globalRateLimit: RateLimit | null
  readonly isReady: () => boolean
  readonly isReachable: () => boolean
  readonly checkDependencies: DependencyChecks
}
