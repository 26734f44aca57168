import type { ITEMS_PATH, Procedures, ProcedureName, RouteName, routes } from '@tain/contract'
import type { SystemCollections } from '@tain/contract/collections'
import type { FastifyRequest, RouteOptions } from 'fastify'
import { isReading, isReadMethod } from './reading.ts'

/** The kinds of requests that are counted separately. Never a path or a collection: the list is fixed. */
export const routeClasses = [
  'items_read',
  'items_write',
  'system_read',
  'system_write',
  'graphql',
  'batch',
  'auth',
  'schema',
  'utils',
  'server',
  'admin',
  'preflight',
  'assets',
  'realtime',
  'extensions',
  'unknown',
] as const

export type RouteClass = (typeof routeClasses)[number]

type Path =
  | Procedures[ProcedureName]['rest'][number][1]
  | (typeof routes)[RouteName]['path']
  | typeof ITEMS_PATH
  | `/${NonNullable<SystemCollections[keyof SystemCollections]['path']>}`

type FirstPart<P extends string> = P extends `/${infer Part}/${string}`
  ? Part
  : P extends `/${infer Whole}`
    ? Whole
    : never

interface ReadOrWrite {
  readonly read: RouteClass
  readonly write: RouteClass
}

const items: ReadOrWrite = { read: 'items_read', write: 'items_write' }
const system: ReadOrWrite = { read: 'system_read', write: 'system_write' }

/** By the first part of the path. */
const classes: Readonly<Record<FirstPart<Path>, RouteClass | ReadOrWrite>> = {
  '': 'server',
  access: system,
  activity: system,
  admin: 'admin',
  assets: 'assets',
  auth: 'auth',
  batch: 'batch',
  collections: 'schema',
  comments: system,
  dashboards: system,
  docs: 'server',
  extensions: 'extensions',
  fields: 'schema',
  files: system,
  folders: system,
  graphql: 'graphql',
  items,
  'llms.txt': 'server',
  notifications: system,
  panels: system,
  permissions: system,
  policies: system,
  presets: system,
  realtime: 'realtime',
  relations: 'schema',
  revisions: system,
  roles: system,
  schema: 'schema',
  server: 'server',
  settings: system,
  translations: system,
  users: system,
  utils: 'utils',
  webhooks: system,
}

const isPart = (part: string): part is keyof typeof classes => Object.hasOwn(classes, part)

/** The class of a request, by the path that its route is registered at. */
export const routeClassOf = (request: FastifyRequest): RouteClass =>
  request.method === 'OPTIONS' ? 'preflight' : classAt(request.routeOptions.url, () => isReading(request))

/** The class of all requests to a route. One that reads only on request counts as one that writes. */
export const classOfRoute = ({ url, method }: RouteOptions): RouteClass =>
  classAt(url, () => [method].flat().every(isReadMethod))

function classAt(url: string | undefined, reads: () => boolean): RouteClass {
  const part = url?.split('/', 2)[1]
  if (part === undefined || !isPart(part)) return 'unknown'
  const found = classes[part]
  return typeof found === 'string' ? found : found[reads() ? 'read' : 'write']
}

/** 429 and 503 by themselves: they tell that a limit was reached, or that the database is away. */
export const statusClasses = ['2xx', '3xx', '4xx', '429', '5xx', '503', 'aborted'] as const

export type StatusClass = (typeof statusClasses)[number]

const exact: Readonly<Record<number, StatusClass>> = { 429: '429', 503: '503' }

export function statusClassOf(status: number): StatusClass {
  const known = exact[status]
  if (known !== undefined) return known
  if (status >= 500) return '5xx'
  if (status >= 400) return '4xx'
  return status >= 300 ? '3xx' : '2xx'
}
