import type { WriteFilters } from '../engine/write/filters.ts'
import type { EventLog } from '../events/event-log.ts'
import { createActionRunner, type ActionRunner, type ActionServices } from '../extensions/actions.ts'
import { createEndpoints, type AnswerEndpoint } from '../extensions/endpoints.ts'
import { createFilters } from '../extensions/filters.ts'
import { idleHooks } from '../extensions/idle-hooks.ts'
import { jobTasks } from '../extensions/jobs.ts'
import { loadExtensions, type Unusable } from '../extensions/load.ts'
import { createRegistry, type RegisteredExtension, type Registry } from '../extensions/registered.ts'
import { reportUnhandled } from '../extensions/unhandled.ts'
import { watchFolder } from '../extensions/watch-folder.ts'
import type { QueryLimits } from '../query/parse-query.ts'
import type { Observe } from '../observe.ts'
import type { SchemaCache } from '../schema/schema-cache.ts'
import type { Schema } from '../schema/schema.ts'
import { takeLease } from '../schema/lease.ts'
import { StartError } from '../schema/start-error.ts'
import { createCursorStore } from '../store/cursors.ts'
import { inTransaction } from '../sql/service/run-service-statement.ts'
import type { AppContext } from './context.ts'
import type { EngineParts } from './engine.ts'
import { createTasks } from './tasks.ts'

/** The extensions of a process, and what of them takes part in every write. */
export interface ExtensionParts {
  readonly registry: Registry
  readonly filters: WriteFilters
  /** Loads them for the first time. Throws a StartError if one cannot be used and all are needed. */
  readonly load: () => Promise<void>
}

export function createExtensionParts(
  context: Pick<AppContext, 'config' | 'observe'>,
  limits: () => QueryLimits,
): ExtensionParts {
  const { config, observe } = context
  const registry = createRegistry()
  return {
    registry,
    filters: createFilters(registry, { limits, timeout: config.filterTimeout, observe }),
    async load() {
      const { extensionsPath: folder, extensionsOptional } = config
      if (folder === null) return
      const { extensions, unusable } = await loadExtensions(folder, { timeout: config.extensionsTimeout, observe })
      const [first] = unusable
      if (first !== undefined && !extensionsOptional) throw new StartError(wordsOf(first))
      for (const each of unusable) observe({ kind: 'extension-unusable', ...each })
      registry.replace(extensions)
      observe({ kind: 'extensions-loaded', names: extensions.map(({ name }) => name) })
    },
  }
}

const wordsOf = ({ file, reason }: Unusable) =>
  `The extension ${file} cannot be used: ${reason}. Correct it, or set EXTENSIONS_OPTIONAL=true to start without it.`

/** null: no extension can have endpoints, because there is no folder. */
export const extensionEndpoints = (
  { config, observe }: AppContext,
  { engine, limits, extensions: { registry } }: EngineParts & { readonly extensions: ExtensionParts },
): AnswerEndpoint | null =>
  config.extensionsPath === null
    ? null
    : createEndpoints(registry, {
        engine,
        limits,
        timeout: config.extensionsTimeout,
        responseSize: config.responseSize,
        observe,
      })

/** What extensions do by themselves: action hooks and jobs, and their loading anew. */
export interface ExtensionWork {
  /** `isUp`: the database answers. Once it resolves, action hooks miss no change. */
  readonly start: (isUp: boolean) => Promise<void>
  readonly stop: () => Promise<void>
}

interface WorkParts extends EngineParts {
  readonly events: EventLog | null
  readonly schemaCache: SchemaCache
  readonly extensions: ExtensionParts
}

export function createExtensionWork(
  context: AppContext,
  { engine, limits, events: log, schemaCache, extensions: { registry } }: WorkParts,
): ExtensionWork {
  const { config, database, systemSchema, observe } = context
  const services: Omit<ActionServices, 'log'> = {
    engine,
    limits,
    cursors: createCursorStore(database, systemSchema),
    takeLease: (name) => takeLease(database, systemSchema, name, 0),
    inTransaction: (work) => inTransaction(database.driver, work),
    timeout: config.extensionsTimeout,
    observe,
  }
  let works: readonly (() => Promise<void>)[] = []
  let ends: readonly (() => Promise<void> | void)[] = []

  async function begin(extensions: readonly RegisteredExtension[], isUp: boolean) {
    const runners: ActionRunner[] = extensions
      .filter(({ actions }) => actions.length > 0)
      .flatMap((extension) => (log === null ? [] : [createActionRunner(extension, { ...services, log })]))
    const tasks = jobTasks(extensions, services).map((job) => ({
      ...job,
      onFailed: (error: unknown) =>
        observe({ kind: 'extension-failed', extension: job.extension, hook: job.hook, error }),
    }))
    // Without the database they prepare themselves when it answers.
    if (isUp) await Promise.all(runners.map(({ prepare }) => prepare()))
    const begun = [...runners, createTasks(context, tasks)]
    for (const work of begun) work.start()
    reportIdle(extensions, schemaCache.current(), observe)
    works = begun.map(({ stop }) => stop)
  }

  /** Extensions that cannot be used now go on as they were. */
  async function reload(folder: string): Promise<void> {
    const { extensions, unusable } = await loadExtensions(folder, { timeout: config.extensionsTimeout, observe })
    for (const each of unusable) observe({ kind: 'extension-unusable', ...each })
    if (unusable.length > 0) return
    await Promise.all(works.map(async (stop) => stop()))
    registry.replace(extensions)
    await begin(extensions, false)
    observe({ kind: 'extensions-loaded', names: extensions.map(({ name }) => name) })
  }

  return {
    async start(isUp) {
      const { extensionsPath: folder } = config
      if (folder === null) return
      const current = registry.current()
      checkNeeds(current, config.isReadOnly, log !== null)
      ends = [reportUnhandled(observe), ...(config.extensionsReload ? [watchFolder(folder, () => reload(folder))] : [])]
      await begin(current, isUp)
    },
    async stop() {
      for (const end of ends) await end()
      await Promise.all(works.map(async (stop) => stop()))
    },
  }
}

/** Collections may be created later, so this is no error. Without the database nobody knows them. */
function reportIdle(extensions: readonly RegisteredExtension[], schema: Schema | null, observe: Observe): void {
  if (schema === null) return
  for (const idle of idleHooks(extensions, schema.collections)) observe({ kind: 'extension-idle', ...idle })
}

/** Jobs and action hooks keep how far they have come, and action hooks read the log of changes. */
function checkNeeds(extensions: readonly RegisteredExtension[], isReadOnly: boolean, hasLog: boolean): void {
  const working = extensions.find(({ actions, jobs }) => actions.length + jobs.length > 0)
  const acting = extensions.find(({ actions }) => actions.length > 0)
  if (isReadOnly && working !== undefined)
    throw new StartError(
      `READ_ONLY is set, but the extension "${working.name}" has jobs or action hooks, which need tables of the service.`,
    )
  if (!hasLog && acting !== undefined)
    throw new StartError(
      `The extension "${acting.name}" has action hooks, which need the log of changes. EVENTS_ENABLED turns it off.`,
    )
}
