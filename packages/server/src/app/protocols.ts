import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { cookieOrigins } from '../config/cors.ts'
import type { Outside } from '../events/outside.ts'
import type { Files } from '../files/files.ts'
import type { Operator } from '../system/operator.ts'
import { fileProcedures, linkKeysOf } from './files.ts'
import { createLastPages } from '../store/last-page.ts'
import { createGraphql, type Graphql } from '../graphql/endpoint.ts'
import { graphiqlPage } from '../graphql/graphiql.ts'
import { createAdmission } from '../http/admission.ts'
import { readAdminApp, type AdminApp } from '../http/admin-app.ts'
import { createBrowser } from '../http/browser.ts'
import { createPositions, type Positions } from '../http/positions.ts'
import type { RequestMeter } from '../http/metrics.ts'
import { createQueryOf } from '../http/queries.ts'
import type { ContextOptions, RequestTracer } from '../http/request-context.ts'
import { createServer, type HttpOptions } from '../http/server.ts'
import { createAttempts, type Attempts } from '../http/simulated-request.ts'
import type { ServedProcedures } from '../procedure.ts'
import { systemCollections } from '../system/collections/index.ts'
import { createServiceProcedures } from '../system/procedures/index.ts'
import { createItemProcedures } from '../system/procedures/items.ts'
import { createSchemaProcedures } from '../system/procedures/schema.ts'
import { createSnapshotProcedures } from '../system/procedures/snapshots.ts'
import { createDescriptions } from '../description/document.ts'
import { createGuides } from '../description/guide.ts'
import { createOpenApi } from '../openapi/document.ts'
import { createSpecificationProcedures, type ReadSdl } from '../system/procedures/specifications.ts'
import type { SocketFacts, SystemServices } from '../system/procedures/system-services.ts'
import { version } from '../version.ts'
import { createWebhookProcedures } from '../webhooks/procedures.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import type { AuthenticationParts } from './authentication.ts'
import type { AppContext } from './context.ts'
import type { EngineParts } from './engine.ts'
import { extensionEndpoints, type ExtensionParts } from './extensions.ts'
import { createDependencyChecks } from './health.ts'
import type { Realtime } from './realtime.ts'
import type { SchemaParts } from './schema.ts'

export interface Protocols {
  readonly server: FastifyInstance
  readonly graphql: Graphql
  readonly admin: AdminApp | null
}

/** The parts that every protocol uses. */
interface Parts extends SchemaParts, EngineParts {
  readonly authentication: AuthenticationParts
  readonly files: Files | null
  readonly webhooks: Webhooks | null
  readonly operator: Operator
  readonly realtime: Realtime | null
  readonly outside: Outside
  readonly extensions: ExtensionParts
}

/** What watches requests; null: nothing does. */
export interface Seeing {
  readonly meter: RequestMeter | null
  readonly tracer: RequestTracer | null
}

/** `folder` holds the built admin app; null if there is none. */
export function createProtocols(context: AppContext, parts: Parts, folder: string | null, seeing: Seeing): Protocols {
  const attempts = createAttempts(parts.authentication.authenticate)
  const system = createSystemServices(context, parts, attempts)
  const metadata = { changes: parts.changes, isReadOnly: context.config.isReadOnly }
  const procedures: ServedProcedures = {
    ...parts.authentication.procedures,
    ...createServiceProcedures(system),
    ...createItemProcedures(system),
    ...fileProcedures(context, parts),
    ...(parts.webhooks === null ? {} : createWebhookProcedures({ engine: parts.engine, webhooks: parts.webhooks })),
    ...specificationProcedures(context, parts, {
      sdl: (scope, actor) => graphql.sdl(scope, actor),
      procedures: () => procedures,
    }),
    ...createSchemaProcedures({ engine: parts.engine, metadata }),
    ...createSnapshotProcedures({ engine: parts.engine, metadata, snapshots: parts.snapshots }),
  }
  const graphql: Graphql = createGraphqlProtocol(context, parts, { system, procedures })
  const admin = adminAppOf(context, folder)
  const server = createHttpProtocol(context, parts, { attempts, procedures, graphql, admin, seeing })
  attempts.serveBy(server)
  return { server, graphql, admin }
}

function specificationProcedures(
  { config }: AppContext,
  { engine }: Parts,
  { sdl, procedures }: { readonly sdl: ReadSdl; readonly procedures: () => ServedProcedures },
): ServedProcedures {
  const { publicUrl, sessionCookieName: sessionCookie, hasOpenApi, hasResumable } = config
  const { readOpenApi, ...others } = createSpecificationProcedures(
    sdl,
    createOpenApi({ engine, procedures, publicUrl, sessionCookie, hasResumable }),
    createDescriptions(engine),
  )
  return hasOpenApi ? { readOpenApi, ...others } : others
}

/** Read-only, the service keeps no users, so nobody could sign in to the app. */
function adminAppOf({ config, logger }: AppContext, folder: string | null): AdminApp | null {
  if (!config.hasAdminApp || config.isReadOnly) return null
  if (folder !== null) return readAdminApp(folder, config.publicUrl)
  logger.info('the admin app is not built, so /admin is not served')
  return null
}

function createSystemServices(context: AppContext, parts: Parts, { attempt }: Attempts): SystemServices {
  const { config, database, systemSchema, lifecycle } = context
  const { engine, limits, schemaCache, authentication } = parts
  return {
    attempt,
    engine,
    lastPages: createLastPages(database, systemSchema),
    actorOfUser: authentication.actorOfUser,
    systemCollections,
    outside: parts.outside.facts,
    limits,
    version,
    uploads: config.isReadOnly
      ? null
      : { types: config.allowedTypes, size: config.uploadSize, isResumable: config.hasResumable },
    sockets: socketFacts(config),
    // Nobody hears them yet.
    rateLimit: config.isRateLimited ? { points: config.ratePoints, duration: config.rateDuration } : null,
    globalRateLimit: config.isGloballyLimited
      ? { points: config.globalRatePoints, duration: config.globalRateDuration }
      : null,
    isReady: () => !lifecycle.isClosing && schemaCache.current() !== null && database.driver.isReachable,
    isReachable: () => database.driver.isReachable,
    checkDependencies: createDependencyChecks({
      database,
      isReadOnly: config.isReadOnly,
      mailer: authentication.services.mailer,
      redis: context.redis,
      redisPrefix: config.redisPrefix,
      storages: parts.files?.storages ?? null,
    }),
  }
}

function createGraphqlProtocol(
  { config, logger }: AppContext,
  { engine, limits, realtime }: Parts,
  { system, procedures }: { readonly system: SystemServices; readonly procedures: ServedProcedures },
): Graphql {
  return createGraphql({
    config,
    limits,
    responseSize: config.responseSize,
    hasSubscriptions: config.hasGraphqlSocket && (realtime?.hub ?? null) !== null,
    services: { engine, system, procedures },
    onUnexpected: (error) => logger.error({ error }, 'a root field failed'),
  })
}

const socketFacts = (config: Config): SocketFacts | null =>
  config.hasSockets
    ? {
        rest: config.hasRestSocket ? { authentication: config.restSocketAuth, path: config.restSocketPath } : null,
        graphql: config.hasGraphqlSocket
          ? { authentication: config.graphqlSocketAuth, path: config.graphqlSocketPath }
          : null,
        heartbeat: config.hasHeartbeat ? config.heartbeatPeriod : null,
      }
    : null

interface Served {
  readonly attempts: Attempts
  readonly procedures: ServedProcedures
  readonly graphql: Graphql
  readonly admin: AdminApp | null
  readonly seeing: Seeing
}

function createHttpProtocol(
  context: AppContext,
  parts: Parts,
  { attempts, procedures, graphql, admin, seeing: { meter, tracer } }: Served,
): FastifyInstance {
  const { config, database, observe } = context
  const { engine, limits, authentication, schemaCache } = parts
  const admission = createAdmission({
    most: config.requestsInFlight,
    acquireTimeout: config.acquireTimeout,
    load: () => database.driver.stats(),
    isReachable: () => database.driver.isReachable,
    isStarted: () => schemaCache.current() !== null,
    observe,
    ...(meter === null ? {} : { onRefusal: (refusal) => meter.refused(refusal) }),
  })
  const positions = positionsOf(context, parts)
  return createServer(
    {
      engine,
      positions,
      authenticate: attempts.authenticate,
      actorOfUser: authentication.actorOfUser,
      procedures,
      browser: createBrowser({ ...config, origins: cookieOrigins(config) }),
      systemCollections,
      imports: { size: config.importSize, errors: config.importErrors },
      files: parts.files,
      linkKeys: linkKeysOf(authentication),
      linkGeneration: authentication.services.assetLinks.generation,
      hasResumable: config.hasResumable,
      assets: {
        maxAge: config.assetsRevalidate ? null : Math.floor(config.assetsMaxAge / 1000),
        publicMaxAge: Math.floor(config.assetsPublicMaxAge / 1000),
      },
      mostText: config.payloadSize,
      limits,
      queryOf: createQueryOf(limits),
      publicMaxAge: config.publicCacheTtl === null ? null : Math.floor(config.publicCacheTtl / 1000),
      extensions: extensionEndpoints(context, parts),
      graphql: { ...graphql, page: config.graphqlIde ? graphiqlPage : null },
      openEventStream: parts.realtime?.streams.open ?? null,
      socketPath: config.hasRestSocket ? config.restSocketPath : null,
      admin,
      guide: createGuides(engine, {
        publicUrl: config.publicUrl,
        hasOpenApi: procedures.readOpenApi !== undefined,
        hasLogin: procedures.login !== undefined,
      }),
    },
    {
      logger: context.logger,
      payloadSize: config.payloadSize,
      cors: corsOptions(config),
      isClosing: () => context.lifecycle.isClosing,
      trustProxy: config.trustProxy,
      limits: authentication.services.limits,
      isCompressed: config.isCompressed,
      meter,
      admission,
      requestContexts: contextsOf(config, tracer, positions),
    },
  )
}

/** Only with servers beside the primary does it matter where a caller last wrote. */
function positionsOf({ config, database }: AppContext, { authentication }: Parts): Positions | null {
  if (database.readers === null || config.isReadOnly) return null
  const { derive } = authentication.services.keyring
  return createPositions({ sign: (text) => derive('position', text), lagMax: config.readersLagMax })
}

const contextsOf = (
  { hasServerTiming, slowStatement }: Config,
  tracer: RequestTracer | null,
  positions: Positions | null,
): ContextOptions => ({
  isWatched: hasServerTiming || slowStatement !== null || tracer !== null,
  hasServerTiming,
  tracer,
  positions,
})

const corsOptions = (config: Config): HttpOptions['cors'] =>
  config.corsEnabled
    ? { origins: config.corsOrigin, credentials: config.corsCredentials, maxAge: config.corsMaxAge }
    : null
