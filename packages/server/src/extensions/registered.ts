import type { Schedule } from '../lib/schedule.ts'
import type { Action, Endpoint, EndpointMethod, EventAction, Filter, FilterAction, Job as JobCode } from './api.ts'

export interface FilterHook {
  readonly collection: string
  readonly actions: ReadonlySet<FilterAction>
  readonly run: Filter
}

export interface ActionHook {
  readonly collection: string
  readonly actions: ReadonlySet<EventAction>
  /** Names what it has worked off: stays the same while hooks of other collections come and go. */
  readonly cursor: string
  readonly run: Action
}

export interface ScheduledJob {
  readonly name: string
  readonly schedule: Schedule
  readonly timeout: number | null
  readonly run: JobCode
}

export interface ServedEndpoint {
  readonly method: EndpointMethod
  /** Segments of the path; those that begin with a colon are parameters. */
  readonly path: readonly string[]
  readonly run: Endpoint
}

/** An extension with everything it has registered. */
export interface RegisteredExtension {
  readonly name: string
  readonly filters: readonly FilterHook[]
  readonly actions: readonly ActionHook[]
  readonly jobs: readonly ScheduledJob[]
  readonly endpoints: readonly ServedEndpoint[]
}

/** The extensions in use. They are replaced together. */
export interface Registry {
  readonly current: () => readonly RegisteredExtension[]
  /** The filters of a collection, in the order of the names of their extensions. */
  readonly filtersOf: (collection: string) => readonly OwnedFilter[]
  readonly replace: (extensions: readonly RegisteredExtension[]) => void
}

export interface OwnedFilter extends FilterHook {
  readonly extension: string
}

const none: readonly OwnedFilter[] = []

export function createRegistry(): Registry {
  let extensions: readonly RegisteredExtension[] = []
  let filters = new Map<string, OwnedFilter[]>()
  return {
    current: () => extensions,
    filtersOf: (collection) => filters.get(collection) ?? none,
    replace: (next) => {
      extensions = next
      filters = Map.groupBy(
        next.flatMap(({ name, filters: own }) => own.map((hook) => ({ ...hook, extension: name }))),
        ({ collection }) => collection,
      )
    },
  }
}
