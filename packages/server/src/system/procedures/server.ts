import { forbidden, ServiceError } from '@tain/contract'
import { settings } from '@tain/contract/collections'
import { randomInt } from 'node:crypto'
import { administrator } from '../../access/actor.ts'
import type { Procedure } from '../../procedure.ts'
import { parseQuery } from '../../query/parse-query.ts'
import type { SystemServices } from './system-services.ts'

/** Settings that are public. */
const publicSettings = [
  'project_name',
  'project_descriptor',
  'project_logo',
  'project_color',
  'default_language',
  'default_appearance',
  'default_theme_light',
  'default_theme_dark',
  'theme_light_overrides',
  'theme_dark_overrides',
  'public_foreground',
  'public_background',
  'public_favicon',
  'public_note',
  'custom_css',
  'public_registration',
  'public_registration_verify_email',
]

type Data = Readonly<Record<string, unknown>>

export async function projectOf({ engine, limits }: SystemServices): Promise<Data> {
  const bare = { project_name: 'Tain', default_language: 'en-US', public_registration: false }
  if (!engine.schema().system.has(settings.name)) return bare
  const { query, values } = parseQuery({ fields: publicSettings, limit: 1 }, limits)
  const read = { collection: settings.name, isSystem: true, query, queryKey: JSON.stringify(query), values }
  const { rows } = await engine.list(administrator, { ...read, meta: [], cursor: null, key: null })
  return rows[0] === undefined ? bare : (JSON.parse(rows[0]) as Data)
}

/** Only authenticated callers see the version: it would tell others which vulnerabilities apply. */
export const serverInfo =
  (services: SystemServices): Procedure<'serverInfo'> =>
  async ({ actor }) => {
    const project = await projectOf(services)
    if (actor.user === null && !actor.isAdmin) return { project }
    const { limitDefault, limitMax } = services.limits
    return {
      project,
      version: services.version,
      rateLimit: services.rateLimit ?? false,
      rateLimitGlobal: services.globalRateLimit ?? false,
      queryLimit: { default: limitDefault, max: limitMax ?? -1 },
      websocket: websocketOf(services),
      ...(actor.isAdmin ? { realtime: { ...(await services.outside()) } } : {}),
      ...(services.uploads === null
        ? {}
        : {
            files: { mimeTypeAllowList: services.uploads.types },
            uploads: { tus: services.uploads.isResumable, maxSize: services.uploads.size },
          }),
    }
  }

/** In the form that clients of other services know: an interface or a heartbeat that is not there is false. */
const websocketOf = ({ sockets }: SystemServices) =>
  sockets === null
    ? false
    : { rest: sockets.rest ?? false, graphql: sockets.graphql ?? false, heartbeat: sockets.heartbeat ?? false }

/** Every authenticated caller sees the status; only administrators see the details. */
export const serverHealth =
  (services: SystemServices): Procedure<'serverHealth'> =>
  async ({ actor }) => {
    if (actor.user === null && !actor.isAdmin) throw forbidden()
    const isReachable = services.isReachable()
    const schema = isReachable && services.isReady() ? services.engine.schema() : null
    if (schema === null && !actor.isAdmin) return { status: 'error' }
    const dependencies = await services.checkDependencies()
    const isWhole = Object.values(dependencies).every((check) => check.status === 'ok')
    const status = schema === null ? 'error' : isWhole ? 'ok' : 'warn'
    if (!actor.isAdmin) return { status }
    const collections = schema?.collections.size ?? 0
    const checks = {
      'database:connection': [{ status: isReachable ? 'ok' : 'error', componentType: 'datastore' }],
      'schema:collections': [
        { status: schema === null ? 'error' : 'ok', componentType: 'component', observedValue: collections },
      ],
      ...Object.fromEntries(Object.entries(dependencies).map(([name, check]) => [name, [check]])),
    }
    return { status, releaseId: services.version, serviceId: 'tain', checks }
  }

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const USUAL_LENGTH = 32

export const randomText =
  (): Procedure<'randomText'> =>
  async ({ input }) =>
    Array.from({ length: input.length ?? USUAL_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/** Cached data is never stale for long, so there is nothing to clear. Still, only administrators may call this. */
export const clearCache =
  ({ engine }: SystemServices): Procedure<'clearCache'> =>
  async ({ actor }) => {
    const { isAdmin } = await engine.renew(actor)
    if (!isAdmin) throw new ServiceError('FORBIDDEN')
  }

/** Liveness: without access to the database. */
export const serverPing = (): Procedure<'serverPing'> => async () => 'pong'

export const serverReady =
  ({ isReady }: SystemServices): Procedure<'serverReady'> =>
  async () => {
    if (!isReady()) throw new ServiceError('SERVICE_UNAVAILABLE')
    return 'ready'
  }
