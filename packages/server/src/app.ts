import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { adminFolder } from './app/admin-folder.ts'
import { closeGently } from './app/close.ts'
import { createCore, type Core, type CoreOptions } from './app/core.ts'
import { counting, createMetricsParts } from './app/metrics.ts'
import { createExtensionWork } from './app/extensions.ts'
import { createFileTasks } from './app/file-tasks.ts'
import { factsOf, type AppFacts } from './app/facts.ts'
import { graphqlSockets } from './app/graphql-socket.ts'
import { createProtocols } from './app/protocols.ts'
import { createRealtime, hubOf } from './app/realtime.ts'
import { createTracer } from './app/tracing.ts'
import type { Config } from './config.ts'
import { version } from './version.ts'
import type { MetricsEndpoint } from './metrics/endpoint.ts'

/** The running service: the core and its protocols. */
export interface App extends Omit<Core, 'close' | 'context' | 'parts'> {
  readonly server: FastifyInstance
  /** The port for Prometheus; null: there is none. */
  readonly metrics: MetricsEndpoint | null
  /** Where people find the admin app of a service that listens at `origin`; null: it is not served. */
  readonly adminUrl: (origin: string) => string | null
  /** What a person who starts the service is told; null while the database does not answer. */
  facts(): Promise<AppFacts | null>
  close(): Promise<void>
}

export interface AppOptions extends CoreOptions {
  /** The folder of the built admin app; null: it is not built. */
  readonly adminFolder?: string | null
}

/** Wires the parts together. Only this file and the folder app/ know all of them. */
export async function createApp(config: Config, logger: Logger, options: AppOptions = {}): Promise<App> {
  const metrics = await createMetricsParts(config, () => core.context.database)
  const tracer = await createTracer({ version, vendor: () => core.context.database.vendor })
  const { observe = (log) => log } = options
  const core = await createCore(config, logger, {
    ...options,
    observe: (log) => counting(metrics)(observe(log)),
    isTraced: tracer !== null,
  })
  const { context, parts } = core
  const fileTasks = createFileTasks(context, parts.files)
  const { outside } = parts
  const extensionWork = createExtensionWork(context, parts)
  const folder = options.adminFolder === undefined ? adminFolder() : options.adminFolder
  const hub = hubOf(context, parts)
  const realtime = createRealtime(context, parts, hub)
  const served = { ...parts, operator: core.operator, realtime }
  const seeing = { meter: metrics?.meter ?? null, tracer }
  const { server, graphql, admin } = createProtocols(context, served, folder, seeing)
  realtime?.serve(server.server, graphqlSockets(context, realtime, graphql))
  return {
    ...core,
    server,
    metrics: metrics?.endpoint ?? null,
    adminUrl: (origin) => (admin === null ? null : new URL(admin.home, context.config.publicUrl ?? origin).href),
    facts: () => factsOf(context, parts.schemaCache.current(), parts.authentication, graphql),
    async start() {
      // Commands do without.
      context.redis?.start()
      fileTasks.start()
      void parts.files?.storages.probe()
      parts.events?.start()
      realtime?.start()
      outside.start()
      await parts.extensions.load()
      const isStarted = await core.start()
      parts.webhooks?.start()
      await extensionWork.start(isStarted)
      if (!isStarted) return false
      const changed = graphql.prepare()
      if (changed.length > 0) context.observe({ kind: 'types-renamed', changed })
      return true
    },
    close: () =>
      core.close(async () => {
        await realtime?.stop()
        await closeGently(server, config.shutdownTimeout)
        await extensionWork.stop()
        await fileTasks.stop()
        await parts.webhooks?.stop()
        await outside.stop()
        await parts.events?.stop()
        await metrics?.endpoint.close()
      }),
  }
}
