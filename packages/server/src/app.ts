import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { closeGently } from './app/close.ts'
import { createCore, type Core, type CoreOptions } from './app/core.ts'
import { factsOf, type AppFacts } from './app/facts.ts'
import { createProtocols } from './app/protocols.ts'
import type { Config } from './config.ts'

/** The running service: the core and its protocols. */
export interface App extends Omit<Core, 'close' | 'context' | 'parts'> {
  readonly server: FastifyInstance
  /** What a person who starts the service is told; null while the database does not answer. */
  facts(): Promise<AppFacts | null>
  close(): Promise<void>
}

/** Wires the parts together. Only this file and the folder app/ know all of them. */
export async function createApp(config: Config, logger: Logger, options: CoreOptions = {}): Promise<App> {
  const core = await createCore(config, logger, options)
  const { context, parts } = core
  const { server, graphql } = createProtocols(context, parts)
  return {
    ...core,
    server,
    facts: () => factsOf(context, parts.schemaCache.current(), parts.authentication, graphql),
    async start() {
      if (!(await core.start())) return false
      const changed = graphql.prepare()
      if (changed.length > 0) context.observe({ kind: 'types-renamed', changed })
      return true
    },
    close: () => core.close(() => closeGently(server, config.shutdownTimeout)),
  }
}
