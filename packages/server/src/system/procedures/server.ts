import { forbidden, invalidQuery, ServiceError } from '@tain/contract'
import { randomInt } from 'node:crypto'
import { administrator } from '../../access/actor.ts'
import { parseQuery } from '../../query/parse-query.ts'
import { settings } from '../collections/settings.ts'
import type { Procedure, SystemServices } from './system-procedure.ts'

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

async function projectOf({ engine, limits }: SystemServices): Promise<Data> {
  const bare = { project_name: 'Tain', default_language: 'en-US', public_registration: false }
  if (!engine.schema().system.has(settings.name)) return bare
  const { query, values } = parseQuery({ fields: publicSettings, limit: 1 }, limits)
  const read = { collection: settings.name, isSystem: true, query, queryKey: JSON.stringify(query), values }
  const { rows } = await engine.list(administrator, { ...read, meta: [], cursor: null, key: null })
  return rows[0] === undefined ? bare : (JSON.parse(rows[0]) as Data)
}

/** Only authenticated callers see the version: it would tell others which vulnerabilities apply. */
export const serverInfo: Procedure<null, Data> = async ({ actor, services }) => {
  const project = await projectOf(services)
  if (actor.user === null && !actor.isAdmin) return { project }
  const { limitDefault, limitMax } = services.limits
  return {
    project,
    version: services.version,
    rateLimit: services.rateLimit ?? false,
    rateLimitGlobal: services.globalRateLimit ?? false,
    queryLimit: { default: limitDefault, max: limitMax ?? -1 },
    websocket: false,
  }
}

export interface Health {
  readonly status: 'ok' | 'error'
  readonly [detail: string]: unknown
}

/** Every authenticated caller sees the status; only administrators see the details. */
export const serverHealth: Procedure<null, Health> = async ({ actor, services }) => {
  if (actor.user === null && !actor.isAdmin) throw forbidden()
  const isReachable = services.isReachable()
  const schema = isReachable && services.isReady() ? services.engine.schema() : null
  const status = schema === null ? 'error' : 'ok'
  if (!actor.isAdmin) return { status }
  const checks = {
    'database:connection': [{ status: isReachable ? 'ok' : 'error', componentType: 'datastore' }],
    'schema:collections': [{ status, componentType: 'component', observedValue: schema?.collections.size ?? 0 }],
  }
  return { status, releaseId: services.version, serviceId: 'tain', checks }
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const LONGEST = 500

export const randomText: Procedure<{ readonly length: string | null }, string> = async ({ input: { length } }) => {
  const count = length === null ? 32 : /^\d{1,3}$/u.test(length) ? Number(length) : 0
  if (count < 1 || count > LONGEST) throw invalidQuery(`"length" has to be a whole number from 1 to ${LONGEST}`)
  return Array.from({ length: count }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}

/** Cached data is never stale for long, so there is nothing to clear. Still, only administrators may call this. */
export const clearCache: Procedure<null, void> = async ({ actor, services: { engine } }) => {
  const { isAdmin } = await engine.renew(actor)
  if (!isAdmin) throw new ServiceError('FORBIDDEN')
}
